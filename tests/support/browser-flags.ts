/** How Chromium is started wherever it looks at the site: without a window, and without calls to anywhere. */
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
  // A name that is no loopback address to the browser, as that of another machine in the office.
  '--host-resolver-rules=MAP office-pc 127.0.0.1',
];
