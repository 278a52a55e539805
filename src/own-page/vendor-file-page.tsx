/** What a customer's yearly assessment of its providers asks about us, printed on two sheets. */
import type { ReactNode } from 'react';
import { orderReference } from '../billing/reference.ts';
import { lineInWords, listedLines } from '../catalogue/pricing.ts';
import { addressLine } from '../company/company.ts';
import { formatDay } from '../company/days.ts';
import type { VendorFile } from '../company/vendor-file.ts';
import { writeOrderHash } from '../orders/order-api.ts';
import { shownPrice } from '../orders/order-card.tsx';
import { useSite } from '../platform/site.ts';
import { formatDate } from '../platform/time.ts';
import { PrintButton } from '../ui/button.tsx';
import { DescriptionList } from '../ui/description-list.tsx';
import { Notice } from '../ui/notice.tsx';
import { acceptedInWords } from './assessment-section.tsx';
import type { OwnPage } from './own-page-api.ts';
import { type OwnPageProps, startHere } from './use-own-page.ts';

interface VendorFilePageProps extends OwnPageProps {
  file: VendorFile;
}

export function VendorFilePage({ token, page: { order, addendum }, file }: VendorFilePageProps) {
  const { company } = useSite();
  const { legalName, address, phone, email } = company;
  const price = shownPrice(order);
  const { access, insurance, subprocessors, breach, dataAtEnd } = file;
  return (
    <article className="max-w-3xl text-sm text-ink print:text-[9pt]">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h1 ref={startHere} className="text-2xl tracking-[-0.03em] outline-none">
          Vendor file
        </h1>
        <PrintButton />
      </div>
      <p className="mt-2 text-body">
        {`${legalName} as a service provider of ${order.company ?? order.name}, as of ${formatDate(file.updated)}`}
      </p>
      {file.sample && (
        <Notice kind="warning" className="mt-4">
          {file.sample}
        </Notice>
      )}
      <Part heading="Services">
        <DescriptionList
          items={{
            Provider: `${legalName}, ${addressLine(address)}, ${phone.display}, ${email}`,
            Order: orderReference(order.id),
            Plan: price ? (
              <ul>
                {listedLines(price).map((line) => (
                  <li key={line.label}>{lineInWords(line)}</li>
                ))}
              </ul>
            ) : (
              order.planName
            ),
            Since: formatDay(company, Date.parse(order.createdAt)),
            Ends: order.endsAt && formatDay(company, Date.parse(order.endsAt)),
          }}
        />
      </Part>
      <Part heading="Who has access to your systems">
        <Rows
          columns={['Role', 'Reaches', 'Second factor']}
          rows={access.map(({ role, reaches, secondFactor }) => [role, reaches, secondFactor])}
        />
      </Part>
      <Part heading="Insurance">
        <Rows
          columns={['Cover', 'Insurer', 'Limit per claim', 'Through']}
          rows={insurance.map(({ cover, insurer, limit, through }) => [
            cover,
            insurer,
            limit,
            formatDate(through),
          ])}
        />
      </Part>
      <Part heading="Subprocessors">
        <Rows
          columns={['Company', 'What it does for us']}
          rows={subprocessors.map(({ name, does }) => [name, does])}
        />
      </Part>
      <Part heading="Agreements">
        <Agreement what="Terms of service" accepted={order.accepted} />
        <Agreement what="Safeguards addendum" accepted={addendum} />
      </Part>
      <Part heading="If there is a breach">
        <p className="mt-2">{`We tell you within ${breach.hours} hours of finding it. ${breach.how}`}</p>
      </Part>
      <Part heading="Your data at the end">
        <p className="mt-2">
          {`We hand it over within ${dataAtEnd.days} days, as ${dataAtEnd.formats}. ${dataAtEnd.afterwards}`}
        </p>
      </Part>
      <p className="mt-8 print:hidden">
        <a
          href={writeOrderHash({ token })}
          className="inline-flex min-h-11 items-center text-primary underline underline-offset-4"
        >
          Back to your plan
        </a>
      </p>
    </article>
  );
}

function Part({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <section className="mt-8 border-t border-line pt-5 print:mt-4 print:break-inside-avoid print:pt-3">
      <h2 className="text-lg print:text-base">{heading}</h2>
      {children}
    </section>
  );
}

function Rows({ columns, rows }: { columns: string[]; rows: string[][] }) {
  return (
    <table className="mt-3 w-full text-left wrap-anywhere max-sm:text-xs">
      <thead>
        <tr className="border-b border-line text-muted *:py-2 *:not-last:pr-4 *:font-normal print:*:py-1">
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells) => (
          <tr
            key={cells.join(' ')}
            className="border-b border-line align-top *:py-2 *:not-last:pr-4 last:border-b-0 print:*:py-1"
          >
            {cells.map((cell, place) => (
              <td key={columns[place]}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Agreement({ what, accepted }: { what: string; accepted: OwnPage['addendum'] }) {
  const { company } = useSite();
  return (
    <p className="mt-2 wrap-anywhere">
      {accepted
        ? `${what} ${acceptedInWords(accepted, company)} SHA-256 ${accepted.termsHash}`
        : `${what}: not accepted`}
    </p>
  );
}
