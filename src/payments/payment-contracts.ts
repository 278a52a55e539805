/** How payments are configured and connected, and the test gateway's own calls. */
import type { Contract } from '../platform/old/contract.ts';
import type {
  moveClockRequest,
  movedClock,
  paymentConfig,
  testAnswerRequest,
  testClock,
  testConfirmRequest,
  testPayment,
  testRetrieveRequest,
} from './payment-shapes.ts';

export const GET_PAYMENT_CONFIG: Contract<null, typeof paymentConfig> = 'GET /api/payment-config';
export const CONFIRM_TEST_PAYMENT: Contract<typeof testConfirmRequest, typeof testPayment> =
  'POST /api/test-payments/confirm';
export const ANSWER_TEST_PAYMENT: Contract<typeof testAnswerRequest, typeof testPayment> =
  'POST /api/test-payments/answer';
export const RETRIEVE_TEST_PAYMENT: Contract<typeof testRetrieveRequest, typeof testPayment> =
  'POST /api/test-payments/retrieve';
/** There while the test gateway takes the payments. */
export const GET_TEST_CLOCK: Contract<null, typeof testClock> = 'GET /api/admin/test-clock';
export const MOVE_TEST_CLOCK: Contract<typeof moveClockRequest, typeof movedClock> =
  'POST /api/admin/test-clock/ahead';
