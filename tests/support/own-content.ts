import { type Content, readContent } from '../../src/content.server.ts';
import { KEEP_MESSAGES_DAYS } from '../../src/platform/config/env.server.ts';

const known = new Map<number, Content>();

/** The project's own content, which no test changes: read once in a worker, as reading Markdown takes most of a start. */
export function ownContent(keepMessagesDays = KEEP_MESSAGES_DAYS): Content {
  const content = known.get(keepMessagesDays) ?? readContent('content', keepMessagesDays);
  known.set(keepMessagesDays, content);
  return content;
}
