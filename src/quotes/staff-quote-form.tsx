/** The dialog in which staff make or change a quote, which adds up while it is written. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Fragment, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { shortLabel } from '../catalogue/add-on-fields.tsx';
import { LIST_PLANS } from '../catalogue/catalogue.ts';
import { useList } from '../catalogue/catalogue-list.tsx';
import { readCount } from '../catalogue/pricing.ts';
import {
  DUE_DAYS,
  MAX_DUE_DAYS,
  MAX_ONCE_LINES,
  MAX_QUOTE_DAYS,
  MAX_USERS,
  MIN_DUE_DAYS,
  QUOTE_DAYS,
} from '../limits.ts';
import { callQuery } from '../platform/browser/query-client.ts';
import { fetchCall, idempotencyKeys, mayHaveChanged } from '../platform/fetch-call.ts';
import { searchText } from '../platform/list-query.ts';
import { readDollars, toDollars } from '../platform/money.ts';
import { useSite } from '../platform/site.ts';
import { DAY_MS } from '../platform/time.ts';
import { quoteDraft } from '../staff/drafts.ts';
import { useUsername } from '../staff/login.tsx';
import { Button } from '../ui/button.tsx';
import { CallForm, type RenderField } from '../ui/call-form.tsx';
import { Combobox } from '../ui/combobox.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Checkbox } from '../ui/fields.tsx';
import { Notice } from '../ui/notice.tsx';
import {
  CHANGE_QUOTE,
  FIND_PEOPLE,
  MAKE_QUOTE,
  type QuoteRow,
  type StaffQuoteBody,
  staffQuoteRequest,
} from './quote-api.ts';
import { Sum, Total, usePrice } from './staff-quote-price.tsx';

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
  const [keyOf, setKeyOf] = useState(idempotencyKeys);
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
        keyOf={keyOf}
        onStartOver={() => {
          quoteDraft.forget();
          setRound(round + 1);
        }}
        onFailed={(error) => {
          // Shows what a colleague has changed meanwhile, if that is why.
          if (mayHaveChanged(error)) void queryClient.invalidateQueries();
        }}
        onMade={(madeQuote) => {
          quoteDraft.forget();
          setKeyOf(idempotencyKeys);
          queryClient.invalidateQueries();
          // A dialog that is still open keeps the focus from the new record.
          flushSync(onClose);
          onMade?.(madeQuote);
        }}
      />
    </Dialog>
  );
}

/** What the fields show of a quote that is changed: `readBody` reads it back. */
function fieldsOf({ name, email, company, note, planId, ms365Option, ...quote }: QuoteRow) {
  const { ms365Users, includeCloudBackup, discount, dueDays, addendum } = quote;
  const { once, startsOn } = quote.price;
  const daysLeft = Math.floor((Date.parse(quote.expiresAt) - Date.now()) / DAY_MS);
  const places = once.flatMap(({ label, amount }, place) => [
    [`once[${place}].label`, label],
    [`once[${place}].amount`, toDollars(amount)],
  ]);
  return {
    ...{ name, email, company, note, planId, ms365Option, ms365Users, includeCloudBackup },
    'discount.kind': discount && (discount.percent ? 'percent' : 'dollars'),
    'discount.value': discount?.percent ?? (discount && toDollars(discount.amount)),
    'discount.reason': discount?.reason,
    ...Object.fromEntries(places),
    startsOn,
    payment: dueDays && 'invoice',
    dueDays,
    addendum: addendum !== null,
    days: Math.max(0, daysLeft),
  };
}

function firstFields(fields: object): URLSearchParams {
  const filled = Object.entries({ ...fields, send: true }).filter(([, value]) => value);
  return new URLSearchParams(filled.map(([name, value]) => [name, `${value}`]));
}

/** An unreadable number becomes 0, which the schema refuses at its field. */
function readBody(field: (name: string) => string, quote: QuoteRow | null): StaffQuoteBody {
  const number = (name: string) => readCount(field(name), 2 ** 31 - 1) ?? 0;
  const kind = field('discount.kind');
  const dollars = (name: string) => readDollars(field(name)) ?? 0;
  const places = Array.from({ length: MAX_ONCE_LINES }, (_, place) => `once[${place}]`);
  const isFilled = (place: string) => field(`${place}.label`) || field(`${place}.amount`);
  const last = places.findLastIndex(isFilled);
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
    once: places
      .slice(0, last + 1)
      .map((place) =>
        isFilled(place)
          ? { label: field(`${place}.label`), amount: dollars(`${place}.amount`) }
          : null,
      ),
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
  keyOf: (body: unknown) => string;
  onStartOver: () => void;
  onFailed: (error: Error) => void;
  onMade: (quote: QuoteRow) => void;
}

/**
 * Changes the quote as it was when the dialog opened: it may change while staff type. What was
 * typed is there again after the dialog was closed, or the session had ended.
 */
function StaffQuoteForm(props: StaffQuoteFormProps) {
  const { person, keyOf, onStartOver, onFailed, onMade } = props;
  const [quote] = useState(props.quote);
  const subject = quote ? `${quote.id} ${quote.changedAt}` : (person?.email ?? '');
  const about = `${useUsername()} ${subject}`;
  const [kept] = useState(() => quoteDraft.read(about));
  const [first] = useState(() => kept ?? firstFields(quote ? fieldsOf(quote) : { ...person }));
  const plans = useList(LIST_PLANS, []);
  const { mail } = useSite();
  const { frame, typed } = useTyped(quote, about);
  const price = usePrice(typed, plans.data ?? []);
  return (
    <div {...frame}>
      {quote?.changedAt !== props.quote?.changedAt && (
        <Notice kind="warning" className="mb-4">
          <p>This quote has changed since you opened this.</p>
          <Button variant="quiet" size="small" className="mt-2" onClick={onStartOver}>
            Start again
          </Button>
        </Notice>
      )}
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
        schema={staffQuoteRequest}
        read={(field) => readBody(field, quote)}
        save={(body) =>
          quote
            ? fetchCall(CHANGE_QUOTE, { params: { id: quote.id }, body })
            : fetchCall(MAKE_QUOTE, { body, headers: { 'Idempotency-Key': keyOf(body) } })
        }
        onSaved={onMade}
        onFailed={onFailed}
        button={quote ? 'Save changes' : 'Make quote'}
        foot={<Total price={price} className="lg:hidden" />}
        className="lg:grid-cols-[minmax(0,1fr)_18rem] lg:gap-x-8"
      >
        {(field) => {
          const line: RenderField = (label, name, options) =>
            field(label, name, {
              ...options,
              defaultValue: first.get(name) ?? options?.defaultValue,
            });
          const fields = { line, quote, first };
          return (
            <>
              <div className="grid content-start gap-4">
                <div className="grid gap-4 sm:grid-cols-2">
                  <Customer {...fields} isKnown={Boolean(quote ?? person)} />
                  {line('Plan', 'planId', {
                    options: [
                      ['', plans.state === 'failed' ? 'Couldn’t load the plans' : 'Choose…'],
                      ...(plans.data ?? []).map(({ id, name }) => [id, name] as const),
                    ],
                  })}
                  <Licenses {...fields} />
                  <Discount {...fields} />
                  {line('Plan starts', 'startsOn', { type: 'date', optional: true })}
                </div>
                <ChargedOnce {...fields} />
                <div className="grid gap-4 sm:grid-cols-3">
                  <Payment {...fields} />
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
                })}
                <Checkbox
                  name="addendum"
                  defaultChecked={first.has('addendum')}
                  label="The customer is covered by the FTC Safeguards Rule"
                  detail="They accept the Safeguards addendum with the quote."
                />
                {mail ? (
                  <Checkbox
                    name="send"
                    defaultChecked={first.has('send')}
                    label="Send the link to the customer"
                  />
                ) : (
                  <p className="text-sm">
                    Email is not set up, so please send the link to the customer yourself.
                  </p>
                )}
              </div>
              <Sum price={price} dueDays={typed?.dueDays ?? null} />
            </>
          );
        }}
      </CallForm>
    </div>
  );
}

interface GroupProps {
  line: RenderField;
  quote: QuoteRow | null;
  first: URLSearchParams;
}

function Customer({ line, first, isKnown }: GroupProps & { isKnown: boolean }) {
  const [chosen, setChosen] = useState('');
  function choose({ name, email, company }: QuotedPerson) {
    for (const [field, value] of Object.entries({ name, email, company: company ?? '' }))
      first.set(field, value);
    setChosen(email);
  }
  return (
    <>
      {!isKnown && (
        <div className="sm:col-span-2">
          <FindCustomer onChoose={choose} />
        </div>
      )}
      {/* With another key, they are filled in again. */}
      <Fragment key={chosen}>
        {line('Name', 'name')}
        {line('Email', 'email', { type: 'email' })}
        {line('Company', 'company', { optional: true })}
      </Fragment>
    </>
  );
}

function Licenses({ line, quote, first }: GroupProps) {
  const licenses = Object.entries(useSite().addOns?.microsoft365 ?? {}).map(
    ([license, { label }]) => [license, shortLabel(label)] as const,
  );
  const own = quote?.ms365Option ?? 'none';
  const isSold = licenses.some(([license]) => license === own);
  const { label } = quote?.price.lines.find(({ kind }) => kind === 'microsoft365') ?? {};
  const [option, setOption] = useState(first.get('ms365Option') ?? 'none');
  return (
    <>
      {line('Microsoft 365', 'ms365Option', {
        options: isSold
          ? licenses
          : [[own, `${shortLabel(label ?? own)} (no longer sold)`] as const, ...licenses],
        onChoice: setOption,
      })}
      {option !== 'none' && (
        <>
          {line('Users', 'ms365Users', { type: 'number', min: 1, max: MAX_USERS, defaultValue: 1 })}
          <Checkbox
            name="includeCloudBackup"
            defaultChecked={first.has('includeCloudBackup')}
            label="Cloud backup"
            className="sm:mt-7"
          />
        </>
      )}
    </>
  );
}

function Discount({ line, first }: GroupProps) {
  const [kind, setKind] = useState(first.get('discount.kind'));
  return (
    <>
      {line('Discount on the plan', 'discount.kind', { options: DISCOUNTS, onChoice: setKind })}
      {kind && (
        <>
          {line(kind === 'percent' ? 'Percent' : 'Dollars', 'discount.value', {
            inputMode: 'decimal',
          })}
          {line('Reason on the quote', 'discount.reason')}
        </>
      )}
    </>
  );
}

function ChargedOnce({ line, first }: GroupProps) {
  const [lines, setLines] = useState(
    Math.max(1, [...first.keys()].filter((name) => name.endsWith('.label')).length),
  );
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-2 text-sm font-medium text-ink">Charged once, on acceptance</legend>
      {[...Array(lines).keys()].map((place) => (
        <div key={place} className="grid grid-cols-[2fr_1fr] gap-4">
          {line('For', `once[${place}].label`, { optional: true })}
          {line('Dollars', `once[${place}].amount`, { inputMode: 'decimal' })}
        </div>
      ))}
      {lines < MAX_ONCE_LINES && (
        <Button
          variant="quiet"
          size="small"
          onClick={() => setLines(lines + 1)}
          className="justify-self-start"
        >
          Add an amount
        </Button>
      )}
    </fieldset>
  );
}

function Payment({ line, first }: GroupProps) {
  const [payment, setPayment] = useState(first.get('payment'));
  return (
    <>
      {line('How it is paid', 'payment', { options: PAYMENTS, onChoice: setPayment })}
      {payment === 'invoice' &&
        line('Due in (days)', 'dueDays', {
          type: 'number',
          min: MIN_DUE_DAYS,
          max: MAX_DUE_DAYS,
          defaultValue: DUE_DAYS,
        })}
    </>
  );
}

interface FindCustomerProps {
  onChoose: (person: QuotedPerson) => void;
}

const MAX_OFFERED = 8;

function FindCustomer({ onChoose }: FindCustomerProps) {
  const [typed, setTyped] = useState('');
  const query = new URLSearchParams({ find: searchText(typed) });
  const { data } = useQuery({
    ...callQuery(FIND_PEOPLE, { query }),
    meta: { inBackground: true },
  });
  return (
    <Combobox
      label="Customer"
      placeholder="Name, company, or email"
      hint="Choose a known customer to fill in name, email, and company."
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
