/** The rooms whose tests are measured. No file is in two; what runs in a browser alone is left to the journeys. */
export interface Room {
  name: string;
  files: readonly string[];
  /** In percent of its mutants, how many the tests must notice. */
  floor: number;
}

export const ROOMS: readonly Room[] = [
  {
    name: 'money',
    floor: 95,
    files: [
      'src/platform/money.ts',
      'src/catalogue/{pricing,live-catalogue.server}.ts',
      'src/checkout/{billing,order-billing-store.server,charge-no-more.server}.ts',
      'src/payment/{end-charges,stripe-prices}.server.ts',
    ],
  },
  {
    name: 'orders',
    floor: 95,
    files: [
      'src/checkout/{order,order-list,place-order}.ts',
      'src/checkout/{order-[!b]*,order-book,orders-csv,follow-payment,start-order,running-plan,staff-orders}.server.ts',
    ],
  },
  {
    name: 'payment',
    floor: 85,
    files: [
      'src/payment/{card-numbers,payment,payment-health,payment-outcome,test-payments}.ts',
      'src/payment/{gateway,patient-fetch,payment-health,reconcile-payments}.server.ts',
      'src/payment/{settle-stripe-event,start-payments,start-stripe,test-gateway}.server.ts',
      'src/payment/stripe-{client,customer,event,event-store,gateway,health}.server.ts',
      'src/payment/stripe-{state,subscription,webhook}.server.ts',
    ],
  },
  {
    name: 'door',
    floor: 85,
    files: [
      'src/admin/*.server.ts',
      'src/platform/{allowances,rate-limit,cookies,origin,visitor-address,signing-key}.server.ts',
    ],
  },
  {
    name: 'outbox',
    floor: 85,
    files: [
      'src/notify/{outbox*,stored-notification,deliveries-about}.server.ts',
      'src/notify/{is-over,channel,channels}.server.ts',
      'src/{chat/chat,contact/contact}-received.server.ts',
      'src/notify/delivery.ts',
      'src/{chat/chat,checkout/order,contact/contact}-reference.ts',
    ],
  },
  {
    name: 'access-log',
    floor: 85,
    files: ['src/access-log/*.server.ts', 'src/access-log/{device-class,duration-classes}.ts'],
  },
  {
    name: 'contracts',
    floor: 85,
    files: [
      'src/platform/{call,answer,request-body,capped-body,zod-messages}.server.ts',
      'src/platform/{contract,fetch-call,fields,spam,list-query,read,read-rich-text}.ts',
      'src/{admin/sign-in,chat/chat-message,chat/conversation,contact/contact-message}.ts',
      'src/{catalogue/catalogue,inbox/inbox,people/person}.ts',
      'src/{catalogue/read-catalogue,checkout/read-document,checkout/read-order}.ts',
      'src/{company/read-site,inbox/read-inbox,news/read-summaries}.ts',
      'src/{notify/read-outbox,people/read-person}.ts',
    ],
  },
];
