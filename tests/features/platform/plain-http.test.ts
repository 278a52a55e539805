/** Over plain http from another machine a browser has fewer parts: no script of ours may need those. */
import { globSync, readFileSync } from 'node:fs';
import { expect, inject, test } from 'vitest';

/** What exists in secure contexts only. */
const SECURE_ONLY =
  /randomUUID|crypto\.subtle|navigator\.(?:clipboard|credentials|locks|mediaDevices|permissions|serviceWorker|share|storage|wakeLock|bluetooth|geolocation|usb)|\bcaches\.|cookieStore|showOpenFilePicker|showSaveFilePicker|new Notification\(|PublicKeyCredential|PaymentRequest/g;

test.runIf(inject('engine') === 'sqlite')(
  'the built scripts need nothing that is missing over plain http',
  () => {
    const files = globSync('dist/client/assets/*.js');
    expect(files.length).toBeGreaterThan(20);
    const needed = files.flatMap((file) => readFileSync(file, 'utf8').match(SECURE_ONLY) ?? []);
    expect([...new Set(needed)]).toEqual([]);
  },
);
