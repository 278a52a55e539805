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
