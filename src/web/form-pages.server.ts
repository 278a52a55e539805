/** What a form without script is answered with: the page again, with what has become of what was sent. */
import type { ContactOutcome } from '../contact/contact-page.tsx';
import { HTML_TYPE } from '../platform/http/answer.server.ts';
import { finishedText } from '../platform/http/finished-answer.server.ts';
import { FinishedCache } from '../platform/http/finished-cache.server.ts';
import type { SafeguardsContent } from '../safeguards/safeguards-content.ts';
import type { Filled } from '../safeguards/score.ts';
import type { DocumentDeps } from './document-deps.server.ts';
import type { PageView } from './pages.ts';
import { contactView, safeguardsView } from './site-pages.server.ts';

/** `version`: of what the pages show. */
export function formPages(
  { content, catalogue, headers: { site }, receipts }: DocumentDeps,
  draw: (view: PageView) => string,
  version: () => string,
) {
  const headers = { ...HTML_TYPE, ...site, 'Cache-Control': 'no-store' };
  const cache = new FinishedCache();

  /** A page that is not the same for everybody: it shows what the visitor wrote, and is kept nowhere. */
  function ownPage(view: PageView, status: number): Response {
    return new Response(draw(view), { status, headers });
  }

  /** The finished page that says why a form was refused; there are few reasons. */
  function refusalPage(view: PageView, key: string, status: number, asked: Headers): Response {
    const page = cache.get(key, version(), () => finishedText(draw(view), headers, status));
    return page.response(asked);
  }

  const checkView = (filled: Filled | null, told: SafeguardsContent['told']) =>
    safeguardsView(content, catalogue.current(), { mailed: receipts, filled, told });

  const contact = {
    page: (said: ContactOutcome, status: number) => ownPage(contactView(said), status),
    refusal: (reason: string, status: number, asked: Headers) =>
      refusalPage(contactView({ refused: reason }), `contact ${status} ${reason}`, status, asked),
  };
  const safeguards = {
    page: (filled: Filled, told: SafeguardsContent['told']) =>
      ownPage(checkView(filled, told), 200),
    refusal: (reason: string, status: number, asked: Headers) => {
      const text = `${reason}${reason.endsWith('.') ? '' : '.'} Your answers are still in the form: use your browser’s Back button.`;
      const view = checkView(null, { kind: 'error', text });
      return refusalPage(view, `safeguards ${status} ${reason}`, status, asked);
    },
  };

  return { contact, safeguards };
}
