/** The dialog in which staff make or change a quote, which adds up while it is written. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { Fragment, useEffect, useRef, useState } from 'react';
import { LIST_PLANS, type Plan } from '../catalogue/catalogue.ts';
import { useList } from '../catalogue/catalogue-list.tsx';
import { PriceBreakdown } from '../catalogue/price-breakdown.tsx';
import {
  dueToday,
  hasOwnStart,
  isOffered,
  monthInWords,
  type Price,
  readCount,
} from '../catalogue/pricing.ts';
import {
  DUE_DAYS,
  MAX_DUE_DAYS,
  MAX_EMAIL,
  MAX_ONCE_LINES,
  MAX_QUOTE_DAYS,
  MAX_QUOTE_NOTE,
  MAX_USERS,
  MIN_DUE_DAYS,
  QUOTE_DAYS,
} from '../limits.ts';
import { callQuery } from '../platform/browser/query-client.ts';
import { fetchCall } from '../platform/fetch-call.ts';
import { searchText } from '../platform/list-query.ts';
import { formatDollars, fromDollars, readDollars, toDollars } from '../platform/money.ts';
import { useSite } from '../platform/site.ts';
import { quoteDraft } from '../staff/drafts.ts';
import { useUsername } from '../staff/login.tsx';
import { Button } from '../ui/button.tsx';
import { CallForm } from '../ui/call-form.tsx';
import { Combobox } from '../ui/combobox.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Checkbox } from '../ui/fields.tsx';
import { paidInWords, priceOfChoice } from './quote.ts';
import {
  CHANGE_QUOTE,
  FIND_PEOPLE,
  MAKE_QUOTE,
  type QuoteRow,
  type StaffQuoteBody,
  staffQuoteRequest,
} from './quote-api.ts';

export interface QuotedPerson {
  name: string;
  email: string;
  company?: string | null;
}

interface StaffQuoteDialogProps {
  open: boolean;
  quote: QuoteRow | null;
  person?: QuotedPerson | undefined;
  onClose: () => void;
  onMade?: (quote: QuoteRow) => void;
}

export function StaffQuoteDialog({ open, quote, person, onClose, onMade }: StaffQuoteDialogProps) {
  const queryClient = useQueryClient();
  const [round, setRound] = useState(0);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={quote ? `Change quote ${quote.reference}` : 'New quote'}
      subtitle={
        quote
          ? 'The quote uses today’s prices. Links you’ve already sent show the change.'
          : 'At today’s prices.'
      }
      wide
    >
      <StaffQuoteForm
        key={round}
        quote={quote}
        person={person}
        onStartOver={() => {
          quoteDraft.forget();
          setRound(round + 1);
        }}
        onMade={(madeQuote) => {
          quoteDraft.forget();
          queryClient.invalidateQueries();
          onClose();
          onMade?.(madeQuote);
        }}
      />
    </Dialog>
  );
}

/** An unreadable number becomes 0, which the schema refuses at its field. */
function readBody(field: (name: string) => string, quote: QuoteRow | null): StaffQuoteBody {
  const number = (name: string) => readCount(field(name), 2 ** 31 - 1) ?? 0;
  const kind = field('discount.kind');
  const dollars = (name: string) => readDollars(field(name)) ?? 0;
  const places = Array.from({ length: MAX_ONCE_LINES }, (_, place) => `once[${place}]`);
  const last = places.findLastIndex((place) => field(`${place}.label`) || field(`${place}.amount`));
  return {
    name: field('name'),
    email: field('email'),
    company: field('company'),
    note: field('note'),
    planId: number('planId'),
    ms365Option: field('ms365Option'),
    ms365Users: number('ms365Users'),
    includeCloudBackup: field('includeCloudBackup') !== '',
    discount:
      kind === 'percent' || kind === 'dollars'
        ? {
            kind,
            value: dollars('discount.value'),
            reason: field('discount.reason'),
          }
        : null,
    once: places.slice(0, last + 1).map((place) => ({
      label: field(`${place}.label`),
      amount: dollars(`${place}.amount`),
    })),
    startsOn: field('startsOn') || null,
    // 0 is refused at its field.
    dueDays: field('payment') === 'invoice' ? number('dueDays') : null,
    addendum: field('addendum') !== '',
    days: number('days'),
    send: field('send') !== '',
    ...(quote && { changedAt: quote.changedAt }),
  };
}

const DISCOUNTS = [
  ['', 'None'],
  ['percent', 'Percent'],
  ['dollars', 'Dollars a month'],
] as const;

const PAYMENTS = [
  ['card', 'Card'],
  ['invoice', 'Invoice'],
] as const;

interface StaffQuoteFormProps extends Pick<StaffQuoteDialogProps, 'quote' | 'person'> {
  onStartOver: () => void;
  onMade: (quote: QuoteRow) => void;
}

/** What was typed is there again after the dialog was closed, or the session had ended. */
function StaffQuoteForm({ quote, person, onStartOver, onMade }: StaffQuoteFormProps) {
  const subject = quote ? `${quote.id} ${quote.changedAt}` : (person?.email ?? '');
  const about = `${useUsername()} ${subject}`;
  const [kept] = useState(() => quoteDraft.read(about));
  const discount = quote?.discount;
  const licenses = Object.entries(useSite().addOns?.microsoft365 ?? {});
  const [customer, setCustomer] = useState<QuotedPerson | undefined>(quote ?? person);
  const [option, setOption] = useState<string>(
    kept?.get('ms365Option') ?? quote?.ms365Option ?? 'none',
  );
  const [kind, setKind] = useState(
    kept?.get('discount.kind') ?? (discount ? (discount.percent ? 'percent' : 'dollars') : ''),
  );
  const once = quote?.price.once ?? [];
  const keptLines = [...(kept?.keys() ?? [])].filter((name) => name.endsWith('.label'));
  const [onceLines, setOnceLines] = useState(Math.max(1, once.length, keptLines.length));
  const [payment, setPayment] = useState(
    kept?.get('payment') ?? (quote?.dueDays ? 'invoice' : 'card'),
  );
  const plans = useList(LIST_PLANS, []);
  const placeholder = plans.state === 'failed' ? 'Couldn’t load the plans' : 'Choose…';
  const { frame, typed } = useTyped(quote, about);
  const price = usePrice(typed, plans.data ?? []);
  const isTicked = (name: string, otherwise: boolean) => kept?.has(name) ?? otherwise;

  function choose(person: QuotedPerson) {
    for (const name of ['name', 'email', 'company']) kept?.delete(name);
    setCustomer(person);
  }

  return (
    <div {...frame}>
      {kept && (
        <p className="-mt-3 mb-2 flex flex-wrap items-center gap-x-3 text-sm">
          What you typed before is here again.
          <Button variant="link" size="text" onClick={onStartOver}>
            Start over
          </Button>
        </p>
      )}
      <CallForm
        inDialog
        label="Quote"
        kept={kept}
        schema={staffQuoteRequest}
        read={(field) => readBody(field, quote)}
        save={(body) =>
          quote
            ? fetchCall(CHANGE_QUOTE, { params: { id: quote.id }, body })
            : fetchCall(MAKE_QUOTE, { body })
        }
        onSaved={onMade}
        failed="We couldn’t save the quote. Please try again."
        button={quote ? 'Save changes' : 'Make quote'}
        foot={<Total price={price} className="lg:hidden" />}
        className="lg:grid-cols-[minmax(0,1fr)_18rem] lg:gap-x-8"
      >
        {(line) => (
          <>
            <div className="grid content-start gap-4">
              {!quote && !person && <CustomerField onChoose={choose} />}
              <div className="grid gap-4 sm:grid-cols-2">
                {/* The key fills them anew. */}
                <Fragment key={customer?.email}>
                  {line('Name', 'name', { defaultValue: customer?.name })}
                  {line('Email', 'email', {
                    type: 'email',
                    maxLength: MAX_EMAIL,
                    defaultValue: customer?.email,
                  })}
                  {line('Company', 'company', {
                    optional: true,
                    defaultValue: customer?.company ?? '',
                  })}
                </Fragment>
                {line('Plan', 'planId', {
                  options: [
                    ['', placeholder],
                    ...(plans.data ?? []).map(({ id, name }) => [id, name] as const),
                  ],
                  defaultValue: quote?.planId,
                })}
                {line('Microsoft 365', 'ms365Option', {
                  options: licenses.map(([license, { label }]) => [license, label] as const),
                  defaultValue: option,
                  onChoice: setOption,
                })}
                {option !== 'none' && (
                  <>
                    {line('Users', 'ms365Users', {
                      type: 'number',
                      min: 1,
                      max: MAX_USERS,
                      defaultValue: quote?.ms365Users || 1,
                    })}
                    <Checkbox
                      name="includeCloudBackup"
                      defaultChecked={isTicked(
                        'includeCloudBackup',
                        quote?.includeCloudBackup ?? false,
                      )}
                      label="Cloud backup"
                      className="sm:mt-7"
                    />
                  </>
                )}
                {line('Discount on the plan', 'discount.kind', {
                  options: DISCOUNTS,
                  defaultValue: kind,
                  onChoice: setKind,
                })}
                {kind && (
                  <>
                    {line(kind === 'percent' ? 'Percent' : 'Dollars', 'discount.value', {
                      inputMode: 'decimal',
                      defaultValue: discount
                        ? (discount.percent ?? toDollars(discount.amount))
                        : '',
                    })}
                    {line('Reason on the quote', 'discount.reason', {
                      maxLength: 200,
                      defaultValue: discount?.reason,
                    })}
                  </>
                )}
                {line('Plan starts', 'startsOn', {
                  type: 'date',
                  optional: true,
                  defaultValue: quote?.price.startsOn ?? '',
                })}
              </div>
              <fieldset className="grid gap-3">
                <legend className="mb-2 text-sm font-medium text-ink">
                  Charged once, on acceptance
                </legend>
                {[...Array(onceLines).keys()].map((place) => (
                  <div key={place} className="grid grid-cols-[2fr_1fr] gap-4">
                    {line('For', `once[${place}].label`, {
                      optional: true,
                      defaultValue: once[place]?.label,
                    })}
                    {line('Dollars', `once[${place}].amount`, {
                      inputMode: 'decimal',
                      defaultValue: once[place] && toDollars(once[place].amount),
                    })}
                  </div>
                ))}
                {onceLines < MAX_ONCE_LINES && (
                  <Button
                    variant="quiet"
                    size="small"
                    onClick={() => setOnceLines(onceLines + 1)}
                    className="justify-self-start"
                  >
                    Add an amount
                  </Button>
                )}
              </fieldset>
              <div className="grid gap-4 sm:grid-cols-3">
                {line('How it is paid', 'payment', {
                  options: PAYMENTS,
                  defaultValue: payment,
                  onChoice: setPayment,
                })}
                {payment === 'invoice' &&
                  line('Due in (days)', 'dueDays', {
                    type: 'number',
                    min: MIN_DUE_DAYS,
                    max: MAX_DUE_DAYS,
                    defaultValue: quote?.dueDays ?? DUE_DAYS,
                  })}
                {line('Valid for (days)', 'days', {
                  type: 'number',
                  min: 1,
                  max: MAX_QUOTE_DAYS,
                  defaultValue: QUOTE_DAYS,
                })}
              </div>
              {line('Note on the quote', 'note', {
                optional: true,
                rows: 2,
                maxLength: MAX_QUOTE_NOTE,
                defaultValue: quote?.note ?? '',
              })}
              <Checkbox
                name="addendum"
                defaultChecked={isTicked('addendum', Boolean(quote?.addendum))}
                label="The customer is covered by the FTC Safeguards Rule"
                detail="They accept the Safeguards addendum with the quote."
              />
              <Checkbox
                name="send"
                defaultChecked={isTicked('send', true)}
                label="Send the link to the customer"
              />
            </div>
            <Sum price={price} dueDays={typed?.dueDays ?? null} />
          </>
        )}
      </CallForm>
    </div>
  );
}

interface CustomerFieldProps {
  onChoose: (person: QuotedPerson) => void;
}

const MAX_OFFERED = 8;

function CustomerField({ onChoose }: CustomerFieldProps) {
  const [typed, setTyped] = useState('');
  const query = new URLSearchParams({ find: searchText(typed) });
  const { data } = useQuery({
    ...callQuery(FIND_PEOPLE, { query }),
    placeholderData: keepPreviousData,
    meta: { inBackground: true },
  });
  return (
    <Combobox
      label="Customer"
      placeholder="Name, company, or email"
      hint="Someone the desk knows fills the next three."
      items={data?.people.slice(0, MAX_OFFERED) ?? []}
      getKey={({ email }) => email}
      onType={setTyped}
      onChoose={(person) => {
        onChoose(person);
        return person.name || person.email;
      }}
    >
      {({ name, email, company }) => (
        <>
          <bdi className="font-medium text-ink">{name || email}</bdi>{' '}
          <bdi className="text-muted">{[company, name && email].filter(Boolean).join(' · ')}</bdi>
        </>
      )}
    </Combobox>
  );
}

/** What stands in the form's fields, which keep it themselves; read again after each change. */
function useTyped(quote: QuoteRow | null, about: string) {
  const ref = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState<StaffQuoteBody>();
  function read() {
    const form = ref.current?.querySelector('form');
    if (!form) return;
    const fields = new FormData(form);
    const body = readBody((name) => String(fields.get(name) ?? ''), quote);
    setTyped((before) => (JSON.stringify(before) === JSON.stringify(body) ? before : body));
    return fields;
  }
  // A choice brings fields, and takes others away.
  useEffect(() => void read());
  function onInput() {
    const fields = read();
    if (fields) quoteDraft.keep(about, fields);
  }
  return { frame: { ref, onInput }, typed };
}

/** What the server will compute; null while it can't be said. */
function usePrice(typed: StaffQuoteBody | undefined, plans: readonly Plan[]): Price | null {
  const { addOns } = useSite();
  const plan = plans.find(({ id }) => id === typed?.planId);
  if (!typed || !plan || !addOns) return null;
  const { ms365Option = 'none', ms365Users = 0, includeCloudBackup = false, discount } = typed;
  const isComplete = ms365Option === 'none' || ms365Users > 0;
  if (!isComplete || !isOffered(addOns, ms365Option)) return null;
  const once = (typed.once ?? []).map(({ label, amount }) => ({
    label: label || '…',
    amount: fromDollars(amount),
  }));
  const quoted = {
    ...{ ms365Option, ms365Users, includeCloudBackup },
    discount: discount?.value ? discount : null,
    once: once.filter(({ amount }) => amount > 0),
    startsOn: typed.startsOn ?? null,
  };
  return priceOfChoice(plan, quoted, addOns)?.price ?? null;
}

/** The sum as it grows; on a phone its total is in the foot. */
function Sum({ price, dueDays }: { price: Price | null; dueDays: number | null }) {
  return (
    <aside
      aria-label="Price"
      className="grid content-start gap-4 self-start rounded-card bg-paper p-5 text-sm max-lg:hidden lg:sticky lg:top-0"
    >
      {price ? <PriceBreakdown price={price} /> : <p>Choose a plan to see its price.</p>}
      <Total price={price} className="border-t border-line pt-4" />
      <p>{paidInWords({ dueDays }) ?? 'By card'}</p>
    </aside>
  );
}

function Total({ price, className }: { price: Price | null; className: string }) {
  return (
    <div className={`grid gap-1 text-sm text-ink ${className}`}>
      <output className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span>{monthInWords(price ?? { startsOn: null })}</span>
        <span className="text-xl font-semibold tabular-nums">
          {price ? formatDollars(price.total) : '—'}
        </span>
      </output>
      {price && hasOwnStart(price) && (
        <span className="flex flex-wrap justify-between gap-x-4">
          <span>Due on acceptance</span>
          <span className="tabular-nums">{formatDollars(dueToday(price))}</span>
        </span>
      )}
    </div>
  );
}
