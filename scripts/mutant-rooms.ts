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
      'src/catalogue/{pricing,user-count,live-catalogue.server}.ts',
      'src/orders/{order-billing-store,cancel-subscription}.server.ts',
      'src/payment/stripe/stripe-prices.server.ts',
    ],
  },
  {
    name: 'orders',
    floor: 95,
    files: [
      'src/checkout/place-order.ts',
      'src/checkout/start-order.server.ts',
      'src/orders/order.ts',
      'src/orders/{order-[!b]*,follow-payment,running-plan}.server.ts',
      'src/orders/{notifications,customer,staff}/*.server.ts',
    ],
  },
  {
    name: 'payment',
    floor: 85,
    files: [
      'src/orders/payment.ts',
      'src/payment/payment-health.ts',
      'src/payment/test-gateway/{test-cards,test-payments,test-gateway.server}.ts',
      'src/payment/{payment-health,start-payments}.server.ts',
      'src/payment/stripe/events/{received-events,reconcile-payments,settle-stripe-event}.server.ts',
      'src/payment/stripe/events/stripe-event.server.ts',
      'src/payment/stripe/{patient-fetch,start-stripe}.server.ts',
      'src/payment/stripe/stripe-{client,gateway,health,state,subscription}.server.ts',
    ],
  },
  {
    name: 'door',
    floor: 85,
    files: [
      'src/admin/*.server.ts',
      'src/platform/http/{allowances,rate-limit,cookies,origin,visitor-address}.server.ts',
      'src/platform/signing-key.server.ts',
    ],
  },
  {
    name: 'outbox',
    floor: 85,
    files: [
      'src/notify/{outbox*,staff-outbox-store,notification,deliveries-about}.server.ts',
      'src/{chat/chat,contact/contact}-message.server.ts',
    ],
  },
  {
    name: 'access-log',
    floor: 85,
    files: ['src/access-log/{,tidying/}*.server.ts', 'src/access-log/request-classes.ts'],
  },
  {
    name: 'contracts',
    floor: 85,
    files: [
      'src/platform/http/{call,answer,request-body,capped-body,zod-messages}.server.ts',
      'src/platform/{contract,fetch-call,fields,list-query,read,read-rich-text}.ts',
      'src/{admin/sign-in,chat/chat-message,chat/conversation,contact/contact-message}.ts',
      'src/{catalogue/catalogue,inbox/inbox,people/person}.ts',
      'src/{catalogue/read-catalogue,checkout/checkout-data,orders/order-contracts}.ts',
      'src/{company/read-site,news/read-summaries}.ts',
      'src/{notify/read-outbox,people/read-person}.ts',
    ],
  },
];
