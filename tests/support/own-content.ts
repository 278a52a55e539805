import { type Content, readContent } from '../../src/content.server.ts';
import { KEEP_MESSAGES_DAYS } from '../../src/limits.ts';

const known = new Map<number, Content>();

/** The project's content, read once per worker: parsing Markdown takes most of a start, and no test changes it. */
export function ownContent(keepMessagesDays = KEEP_MESSAGES_DAYS): Content {
  const content = known.get(keepMessagesDays) ?? readContent('content', keepMessagesDays);
  known.set(keepMessagesDays, content);
  return content;
}
