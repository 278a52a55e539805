/** Every limit that a person can reach; each section says who feels it. Imports nothing. */

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;
const MB = 1024 * 1024;

// Calls that a visitor's address may make. The visitor reads when to try again.

/** How long a call waits for other services in all. The visitor reads 'Please try again' then. */
export const VISITOR_WAITS_MS = 5_000;
export const STAFF_WAIT_MS = 25_000;

/** Every rule must allow the call. */
export interface CallLimit {
  name: string;
  rules: readonly (readonly [calls: number, seconds: number])[];
}
const callLimit = (name: string, ...rules: CallLimit['rules']): CallLimit => ({ name, rules });

/** All calls without a limit of their own, and repeats of the others, counted together. */
export const EVERY_CALL = callLimit('calls', [300, MINUTE_S]);
export const CONTACT_CALLS = callLimit('contact', [5, MINUTE_S], [30, HOUR_S]);
export const CHAT_CALLS = callLimit('chat', [20, MINUTE_S], [100, HOUR_S]);
/** Each may read and send CONVERSATION_BYTES. A panel without events asks six times a minute. */
export const CONVERSATION_CALLS = callLimit('conversation', [120, MINUTE_S]);
export const PAYMENT_CALLS = callLimit('create-payment-intent', [10, 10 * MINUTE_S]);
export const QUOTE_CALLS = callLimit('quotes', [5, MINUTE_S], [30, HOUR_S]);
/** Quotes rendered by the server; after that the browser fetches them. */
export const QUOTE_PAGES = callLimit('quote-pages', [30, MINUTE_S]);
export const REPORT_CALLS = callLimit('safeguards-report', [3, MINUTE_S], [10, HOUR_S]);
/** Each may make the site ask the payment provider. */
export const ORDER_STATUS_CALLS = callLimit('order-status', [60, MINUTE_S]);
export const OWN_PAGE_CALLS = callLimit('order-account', [60, MINUTE_S]);
/** Each sends emails to the customer and staff. */
export const ORDER_CHANGE_CALLS = callLimit('order-changes', [10, MINUTE_S], [40, HOUR_S]);
export const ORDER_LINK_CALLS = callLimit('order-links', [5, 15 * MINUTE_S]);
/** Each may make the site ask the company's OpenID provider. */
export const WORK_SIGN_IN_CALLS = callLimit('work-sign-in', [60, MINUTE_S]);
export const FAILURE_REPORTS = callLimit('page-failures', [10, MINUTE_S]);
export const VITALS_CALLS = callLimit('web-vitals', [20, MINUTE_S]);
/** How often the catalogue's files are read on a visitor's word; other calls share the outcome. */
export const UPDATE_PLANS_PAUSE_MS = 10_000;
/** The pause before a visitor can make the site ask again about an undecided payment. */
export const PAYMENT_CHECK_PAUSE_MS = 2_000;
/** Between two new prices: each takes up to four calls, and the provider allows ten a second. */
export const PRICE_CHANGE_PAUSE_MS = 400;
/** People who try the demo should not reach limits that are meant for attackers. */
export const DEMO_FACTOR = 10;

// Sign-in. Staff feel these.

/** Failed sign-ins within 15 minutes. A browser that has signed in before counts alone. */
export const FAILURES_BY_ADDRESS = callLimit('failures-by-address', [10, 15 * MINUTE_S]);
export const FAILURES_BY_NAME = callLimit('failures-by-name', [10, 15 * MINUTE_S]);
export const FAILURES_BY_NETWORK = callLimit('failures-by-network', [50, 15 * MINUTE_S]);
export const FAILURES_BY_BROWSER = callLimit('failures-by-browser', [10, 15 * MINUTE_S]);
/** How long a sign-in at the company's OpenID provider may take. */
export const WORK_SIGN_IN_SECONDS = 10 * MINUTE_S;
export const SESSION_SECONDS = 12 * HOUR_S;
export const SESSION_IDLE_MS = 2 * HOUR_S * 1000;
/** Made together; each is good for one sign-in. */
export const RECOVERY_CODES = 10;
/** How long a browser that has signed in keeps an allowance of its own. */
export const KNOWN_BROWSER_SECONDS = 365 * DAY_S;

// What strangers can cause. The mailbox's owner, staff or a visitor feels these.

/** Per mailbox and day: all emails that strangers can cause. */
export const DAILY_MAILS = 10;
/** Free on the disk of SQLite's database: with less, staff are notified. */
export const LOW_DISK_BYTES = 1024 * MB;
/** With less, messages and chats are refused, and visitors are asked to call. */
export const FULL_DISK_BYTES = 200 * MB;

// Orders and quotes. The customer feels these.

export const ORDER_ACCESS_MS = 30 * MINUTE_S * 1000;
/** Browsers that can change an order; a buyer may continue in another one. */
export const MAX_ORDER_BROWSERS = 4;
/** The newest orders that one browser can open without a link, and how long. One cookie has all. */
export const MAX_ORDER_KEYS = 20;
export const ORDER_KEY_SECONDS = 90 * DAY_S;
/** Orders listed in one email with links, newest first. */
export const MAX_LINKS_IN_MAIL = 20;
/** How long prices are held unless staff choose otherwise. */
export const QUOTE_DAYS = 30;
export const MAX_QUOTE_DAYS = 365;
export const MAX_DISCOUNT_PERCENT = 90;
export const MIN_DUE_DAYS = 10;
export const MAX_DUE_DAYS = 60;
export const DUE_DAYS = 15;
/** What a quote charges once, in dollars a line, and the latest day on which its plan starts. */
export const MAX_ONCE_LINES = 10;
export const MAX_ONCE = 100_000;
export const MAX_START_DAYS = 180;
export const MAX_PO_NUMBER = 40;
/** Nine digits, however they are written. */
export const MAX_POSTAL_CODE = 20;
export const MAX_USERS = 1000;
export const CHAT_SECONDS = 30 * DAY_S;
/** Messages of a visitor in one conversation; the next one begins another. */
export const MAX_CHAT_MESSAGES = 500;
/** What one answer holds of a conversation: bytes of JSON and number of entries. */
export const CONVERSATION_BYTES = 64 * 1024;
export const CONVERSATION_ENTRIES = 50;

// Open streams of events. Visitors and staff whose stream is refused ask every few seconds instead.

/** Of visitors. */
export const MAX_STREAMS = 2_000;
/** Beside those of visitors. */
export const MAX_STAFF_STREAMS = 200;
/** Of either kind. */
export const MAX_STREAMS_PER_ADDRESS = 20;

// Lengths of fields in characters. People who fill in forms feel these.

export const MAX_EMAIL = 254;
export const MIN_PASSWORD = 12;
/** Hashing a longer one would keep the server busy. */
export const MAX_PASSWORD = 1000;
export const MAX_CONTACT_MESSAGE = 5_000;
export const MAX_CHAT_MESSAGE = 2_000;
export const MAX_CHAT_NAME = 100;
/** An answer or a note of staff. */
export const MAX_ANSWER = 10_000;
export const MAX_QUOTE_NOTE = 1_000;
/** On receipts. */
export const MAX_ADDRESS = 300;
export const MAX_ADDRESS_LINES = 6;
export const MAX_END_WORDS = 500;
export const MAX_STORE_NAME = 80;
export const MAX_SEARCH = 200;

// Lengths of lists. Staff feel these.

export const LIST_PAGE_SIZE = 50;
/** Rows that staff's lists, counts and searches cover. */
export const MAX_LISTED = 5_000;
/** Contacts that GET /api/admin/contacts returns without a page. */
export const MAX_LISTED_CONTACTS = 1_000;
/** Characters of their messages together, so that the answer takes milliseconds. */
export const MAX_LISTED_TEXT = 100_000;
export const MAX_LISTED_DELIVERIES = 200;
export const MAX_LISTED_PAGES = 20;
/** Sources listed by name, and whose visits of a day are kept by name; the rest are one. */
export const MAX_LISTED_SOURCES = 50;
/** Entries of a thread on staff's screen. */
export const MAX_THREAD = 500;
/** Records of a person on the screen, of each kind; the file has all of them. */
export const MAX_PERSON_RECORDS = 1_000;

// Requests. Slow or broken clients feel these, as Node's documentation has them.

/** Far more than the longest message that a form allows. */
export const MAX_BODY_BYTES = 64 * 1024;
export const MAX_HEADER_BYTES = 16 * 1024;
export const HEADERS_TIMEOUT_MS = 10_000;
export const REQUEST_TIMEOUT_MS = 20_000;
/** A connection on which nothing is sent or read for so long ends. Streams send every 10 s. */
export const SILENCE_TIMEOUT_MS = 60_000;
/** Far more than open streams and requests in progress; a proxy keeps few others. */
export const MAX_CONNECTIONS = 10_000;
/** Also of those that a client sends without waiting for answers. */
export const MAX_REQUESTS_PER_CONNECTION = 1_000;

// Logs. The operator feels these.

/** Lines per event and period: an attack must not fill the disk with log lines. */
export const MAX_LINES_PER_EVENT = 50;
export const LOG_PERIOD_MS = 10_000;
export const MAX_WAITING_LOG_BYTES = 16 * MB;
export const KEEP_MESSAGES_DAYS = 730;
/** Copies of the database, one made each night. */
export const BACKUP_KEEP = 14;
