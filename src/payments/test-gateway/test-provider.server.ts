/** The test gateway, as the rest of the site sees it. */
import type { PaymentProvider } from '../provider.server.ts';
import { makeHappenCall } from './make-happen.server.ts';
import { testGateway } from './test-gateway.server.ts';
import { testPaymentCalls } from './test-payments.server.ts';

export const TEST_PROVIDER: PaymentProvider = {
  chargesRealMoney: false,
  cspSources: { sources: {}, frames: null },
  apiUrl: null,
  check: (report) =>
    report.warning(
      'the test gateway takes the payments, and no money moves',
      'Set the keys of a payment provider; .env.example explains them.',
    ),
  start(context) {
    const gateway = testGateway(context);
    return {
      gateway,
      config: { provider: 'test' },
      calls: [...testPaymentCalls(context), makeHappenCall({ ...context, gateway })],
      intervals: [],
    };
  },
};
