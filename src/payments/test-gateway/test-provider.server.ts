/** The test gateway, as the rest of the site sees it. */
import { type AdminSettings, demoCredentials } from '../../staff/account-store.server.ts';
import type { PaymentProvider } from '../provider.server.ts';
import { notifyUnlessClockAhead, testBilling, testClockCalls } from './test-billing.server.ts';
import { testGateway } from './test-gateway.server.ts';
import { testInvoiceCall } from './test-invoices.server.ts';
import { testPaymentCalls } from './test-payments.server.ts';

/** `admin`: the staff account, since only a demo has a clock that staff can move. */
export function testProvider(admin: AdminSettings): PaymentProvider {
  return {
    chargesRealMoney: false,
    cspSources: { sources: {}, frames: null },
    apiUrl: null,
    check: (report) =>
      report.warning(
        'the test gateway takes the payments, and no money moves',
        'Set the keys of a payment provider; .env.example explains them.',
      ),
    start(context) {
      const { db, notify } = context;
      const isDemo = async () => (await demoCredentials(db, admin)) !== null;
      return {
        gateway: testGateway(context),
        config: { provider: 'test' },
        calls: [
          ...testPaymentCalls(context),
          ...(admin.demo ? [...testClockCalls(db, isDemo), testInvoiceCall(context, isDemo)] : []),
        ],
        intervals: [testBilling(context)],
        notifyWhenDue: notifyUnlessClockAhead(notify),
      };
    },
  };
}
