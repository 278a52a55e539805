import { list } from '../platform/schema.ts';
import { articleSummary } from './article.ts';

const summaries = list(articleSummary);

export const readSummaries = (value: unknown) => summaries.safeParse(value).data;
