import type { LeadView } from './lead.ts';

/** Where a customer came from, in one line: 'google, cpc, fall (on news.example, first page /pricing)'. */
export function LeadSource({ label, medium, campaign, host, page }: LeadView) {
  const names = [label, medium, campaign].filter(Boolean).join(', ');
  const details = [
    host !== null && host !== label && `on ${host}`,
    page !== null && `first page ${page}`,
  ].filter(Boolean);
  return (
    <>
      <bdi translate="no">{names}</bdi>
      {details.length > 0 && <span className="block text-muted">{details.join(', ')}</span>}
    </>
  );
}
