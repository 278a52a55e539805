import { addOnPricesOn } from '../../src/catalogue/catalogue-content.server.ts';
import { localDate } from '../../src/company/days.ts';
import { type Content, readContent } from '../../src/content.server.ts';
import { KEEP_MESSAGES_DAYS } from '../../src/limits.ts';
import { type BuiltAssets, readBuiltAssets } from '../../src/platform/http/assets.server.ts';

let assets: BuiltAssets | undefined;
/** The client build, read once per worker. */
export function ownAssets(): BuiltAssets {
  assets ??= readBuiltAssets('dist/client');
  return assets;
}

const known = new Map<number, Content>();

/** The project's content, read once per worker: it takes most of a start. */
export function ownContent(keepMessagesDays = KEEP_MESSAGES_DAYS): Content {
  const content = known.get(keepMessagesDays) ?? readContent('content', keepMessagesDays);
  known.set(keepMessagesDays, content);
  return content;
}

/** What the add-ons cost today. */
export function todaysAddOnPrices({ addOns, company }: Pick<Content, 'addOns' | 'company'>) {
  return addOnPricesOn(addOns, localDate(company, Date.now()));
}
