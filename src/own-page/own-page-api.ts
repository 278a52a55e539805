/** Calls of the customer's own page, which a receipt's link opens. Amounts are in dollars. */
import * as z from 'zod/mini';
import { paymentField } from '../billing/invoice.ts';
import { features } from '../catalogue/catalogue.ts';
import { LICENSE, priceLines, USERS_ERROR } from '../catalogue/pricing.ts';
import { MAX_ADDRESS, MAX_ADDRESS_LINES, MAX_END_WORDS, MAX_USERS } from '../limits.ts';
import { END_REASONS } from '../orders/order.ts';
import {
  addendumToday,
  decidedOn,
  ORDER_PLACES,
  orderView,
  staffOrder,
  tokenRequest,
} from '../orders/order-api.ts';
import { contract } from '../platform/contract.ts';
import {
  emailField,
  multiLine,
  optionalField,
  phoneField,
  singleLine,
} from '../platform/fields.ts';
import { cents } from '../platform/money.ts';
import {
  count,
  dollars,
  exactDollars,
  fallback,
  list,
  rowId,
  signedDollars,
  textOrNull,
  timestamp,
  withDefault,
} from '../platform/schema.ts';
import { shownPriceChange } from '../price-changes/price-change-api.ts';

const charge = z.object({ total: dollars, tax: fallback(dollars, cents(0)) });

const billedTo = z.object({
  name: z.string(),
  company: textOrNull,
  email: z.string(),
  billingAddress: textOrNull,
});

const payment = z.object({
  id: z.string(),
  number: textOrNull,
  /** When it was paid; until then, when it was made. */
  at: timestamp,
  periodStart: fallback(z.nullable(timestamp), null),
  periodEnd: fallback(z.nullable(timestamp), null),
  /** What the invoice asks for, and what of it is left to pay. */
  amount: dollars,
  remaining: fallback(dollars, cents(0)),
  /** What has come; null for all of it. */
  paid: withDefault(z.nullable(dollars), null),
  /** What of it went back: all of it, and each part of which the day is known. */
  refunded: fallback(dollars, cents(0)),
  refunds: fallback(list(z.object({ at: timestamp, amount: signedDollars })), []),
  tax: fallback(dollars, cents(0)),
  /** 'to_confirm': the bank wants the customer to confirm the payment. */
  state: z.enum(['paid', 'open', 'to_confirm', 'void']),
  /** Whom it names, where that was corrected since. */
  billedTo: withDefault(z.nullable(billedTo), null),
  /** The price lines of the invoiced month; may be empty. */
  lines: priceLines,
  /** What it charges once, such as an item that staff put on it. */
  once: priceLines,
  /** The card that paid, such as 'Visa' and '4242'. */
  brand: textOrNull,
  last4: textOrNull,
  payment: paymentField,
  /** The customer's purchase order number then. */
  poNumber: textOrNull,
  /** The provider's page, while the invoice can be paid, or a payment confirmed, there. */
  payUrl: fallback(z.nullable(z.string().check(z.regex(/^https:\/\//))), null),
  /** How it was paid out of band, in the words of staff. */
  reference: textOrNull,
});
export type Payment = z.output<typeof payment>;

const running = z.object({
  periodEnd: timestamp,
  /** The next invoice with prorations; null when there will be none. */
  next: fallback(z.nullable(charge), null),
  card: fallback(
    z.nullable(
      z.object({
        brand: z.string(),
        last4: textOrNull,
        expiryMonth: z.nullable(count),
        expiryYear: z.nullable(count),
        isBank: z.optional(z.boolean()),
      }),
    ),
    null,
  ),
});
export type RunningPlan = z.output<typeof running>;

/** `users`: for how many a plan is sized; null for one that is not sold any more. */
const offerOf = <Id extends z.ZodMiniType>(id: Id) =>
  fallback(
    list(
      z.object({ id, name: z.string(), price: dollars, users: fallback(z.nullable(count), null) }),
    ),
    [],
  );

/** What the order has is at its own price, all else at today's. */
const offers = z.object({
  plans: offerOf(rowId),
  /** 'none' is the first. */
  licenses: offerOf(z.string()),
  backup: dollars,
});
export type Offers = z.output<typeof offers>;
export type OffersJson = z.input<typeof offers>;

const acceptance = z.object({
  at: timestamp,
  name: z.string(),
  title: textOrNull,
  termsDate: z.string(),
  termsHash: z.string(),
});

const page = z.object({
  order: orderView,
  /** Null when nothing is charged, or when the provider cannot be reached. */
  running: fallback(z.nullable(running), null),
  billingUnavailable: fallback(z.boolean(), false),
  priceChange: fallback(z.nullable(shownPriceChange), null),
  /** Whether this browser may change the plan; if not, it needs an access link. */
  mayChange: fallback(z.boolean(), false),
  offers: fallback(z.nullable(offers), null),
  /** What the plan includes. */
  features,
  billingAddress: textOrNull,
  /** The Safeguards addendum as it was accepted; null before. */
  addendum: withDefault(z.nullable(acceptance), null),
  addendumToday,
  /** One more address for papers. */
  billsTo: textOrNull,
  /** Whether no money was taken: by the test gateway, or with test keys. */
  test: fallback(z.boolean(), false),
  payments: fallback(list(payment), []),
});
export type OwnPage = z.output<typeof page>;
export type OwnPageJson = z.input<typeof page>;

const preview = z.object({
  at: timestamp,
  /** The new monthly price before tax; null where it is not known apart. */
  monthly: fallback(z.nullable(dollars), null),
  /** What the next invoice adds for this month; null where a change is charged from the next. */
  difference: z.nullable(signedDollars),
  next: z.extend(charge, { at: timestamp }),
});
export type Preview = z.output<typeof preview>;
export type PreviewJson = z.input<typeof preview>;

const users = z
  .int(USERS_ERROR)
  .check(z.minimum(0, USERS_ERROR), z.maximum(MAX_USERS, USERS_ERROR));
const changedPlan = {
  planId: z.optional(rowId),
  /** 'none' has neither users nor backup. */
  ms365Option: z.optional(z.string().check(z.regex(LICENSE))),
  users,
  backup: z.boolean(),
};
/** `from` is the plan that the page showed, so that an outdated page is refused. */
const planChange = z.strictObject({ ...changedPlan, from: z.strictObject(changedPlan) });
const usersFit = <Change extends ChangedPlan>() =>
  z.refine<Change>(({ ms365Option, users }) => ms365Option === 'none' || users > 0, {
    path: ['users'],
    message: USERS_ERROR,
  });
export type PlanChange = z.output<typeof planChange>;
export type ChangedPlan = PlanChange['from'];
export const chosenPlan = z.strictObject(changedPlan).check(usersFit());
/** `at` and `next` are the preview's time and the total of its next invoice. */
const confirmation = { at: timestamp, next: exactDollars({ min: -1e9, max: 1e9 }), ...decidedOn };
export type Confirmation = z.input<typeof CHANGE_ORDER.body>;

const address = multiLine({ max: MAX_ADDRESS }).check(
  z.refine(
    (text) => text.split('\n').length <= MAX_ADDRESS_LINES,
    `Please use at most ${MAX_ADDRESS_LINES} lines`,
  ),
);

export const GET_OWN_PAGE = contract('POST /api/order-page', {
  body: tokenRequest,
  answer: page,
});
/** The same as staff see it. */
export const GET_OWN_PAGE_FOR_STAFF = contract('GET /api/admin/orders/:id/account', {
  answer: page,
});
/** Redeems an access link, which lets this browser make changes. */
export const OPEN_ACCESS_LINK = contract('POST /api/order-page/open', {
  body: z.extend(tokenRequest, { access: z.string().check(z.regex(/^[\w-]{1,100}$/)) }),
  answer: page,
});
export const PREVIEW_CHANGE = contract('POST /api/order-page/preview', {
  body: z.extend(planChange, tokenRequest.shape).check(usersFit()),
  answer: preview,
});
export const CHANGE_PLAN = contract('POST /api/order-page/change', {
  body: z.extend(planChange, { ...tokenRequest.shape, ...confirmation }).check(usersFit()),
  answer: page,
});
/** Staff change a plan for its customer, whom an email tells by whom. */
export const PREVIEW_ORDER_CHANGE = contract('POST /api/admin/orders/:id/preview', {
  body: planChange.check(usersFit()),
  answer: preview,
});
export const CHANGE_ORDER = contract('POST /api/admin/orders/:id/change', {
  body: z.extend(planChange, confirmation).check(usersFit()),
  answer: staffOrder,
});
const decision = z.extend(tokenRequest, decidedOn);

/** Ends the plan with the paid month; `until`: the end of the one that the page showed. */
export const CANCEL_PLAN = contract('POST /api/order-page/cancel', {
  body: z.extend(decision, {
    until: z.optional(timestamp),
    reason: z.nullish(z.enum(END_REASONS)),
    words: optionalField(multiLine({ max: MAX_END_WORDS })),
  }),
  answer: page,
});
export const RESUME_PLAN = contract('POST /api/order-page/keep', {
  body: decision,
  answer: page,
});
export const START_CARD = contract('POST /api/order-page/card', {
  body: tokenRequest,
  answer: z.object({ clientSecret: z.string() }),
});
export const REPLACE_CARD = contract('POST /api/order-page/card/use', {
  body: z.extend(decision, { clientSecret: z.string().check(z.regex(/^[\w-]{1,200}$/)) }),
  answer: page,
});
const person = (what: string) =>
  singleLine({ min: 2, max: 100, tooShort: `Please enter your ${what}` });
/** `hash`: of the text that the page named. */
export const ACCEPT_ADDENDUM = contract('POST /api/order-page/addendum', {
  body: z.extend(tokenRequest, {
    name: person('name'),
    title: person('title'),
    hash: z.string().check(z.regex(/^[\da-f]{64}$/)),
    ...decidedOn,
  }),
  answer: page,
});
const details = {
  name: singleLine({ min: 2, max: 100, tooShort: 'Name must be at least 2 characters' }),
  company: optionalField(singleLine({ max: 100 })),
  phone: phoneField(),
  billingAddress: optionalField(address),
  /** Gets receipts, invoices and failed charges as well; null for none. */
  billsTo: z.nullable(emailField()),
};
/** Later papers say it; earlier ones keep what they said. */
export const SET_DETAILS = contract('POST /api/order-page/details', {
  body: z.extend(tokenRequest, { ...details, ...decidedOn }),
  answer: page,
});
/** Another address of the order is mailed a link that confirms it, whosever it is. */
export const ASK_FOR_EMAIL = contract('POST /api/order-page/email', {
  body: z.extend(tokenRequest, { email: emailField() }),
  answer: z.null(),
});
export const CONFIRM_EMAIL = contract('POST /api/order-page/email/confirm', {
  body: z.extend(tokenRequest, { key: z.string().check(z.regex(/^[\w-]{1,100}$/)) }),
  answer: page,
});
export const SET_ORDER_DETAILS = contract('POST /api/admin/orders/:id/details', {
  body: z.strictObject({ ...details, email: emailField(), ...decidedOn }),
  answer: staffOrder,
});
/** Emails an address the links to its orders. The answer never says whether there are any. */
export const SEND_LINKS = contract('POST /api/order-page/links', {
  body: z.strictObject({ email: emailField() }),
  answer: z.null(),
});
/** Emails the order's own address a link to this place, from a page that only shows it. */
export const SEND_LINK = contract('POST /api/order-page/link', {
  body: z.extend(tokenRequest, { place: z.nullable(z.enum(ORDER_PLACES)) }),
  answer: z.null(),
});
