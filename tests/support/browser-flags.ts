import { EVERYTHING } from './test-plan.ts';

/** Chromium's flags in tests and benchmarks: no window, and no network traffic of its own. */
export const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--in-process-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A host name that the browser does not treat as loopback, like another machine in the office.
  '--host-resolver-rules=MAP office-pc 127.0.0.1',
];

/** No network process, no script threads: on two cores a fifteenth of a journey's time. */
const ALL_IN_ONE = ['--enable-features=NetworkServiceInProcess2', '--js-flags=--single-threaded'];

/** Those of journeys. */
export const TEST_FLAGS = [...FLAGS, ...(EVERYTHING ? [] : ALL_IN_ONE)];
