/** The error messages of failed calls are specified to the letter. */
import { expect, test, vi } from 'vitest';
import { LIST_PLANS } from '../../../src/catalogue/catalogue.ts';
import { fetchContacts } from '../../../src/inbox/inbox-page.tsx';
import { fetchCall } from '../../../src/platform/fetch-call.ts';

/** `response` undefined: the network fails. */
function answerWith(response?: Response): void {
  vi.stubGlobal('fetch', async () => {
    if (!response) throw new TypeError('Failed to fetch');
    return response;
  });
}

test('a refused call throws its status and body, or the name of the status', async () => {
  answerWith(new Response('short and stout', { status: 418 }));
  await expect(fetchCall(LIST_PLANS)).rejects.toThrow('418: short and stout');
  answerWith(new Response('', { status: 404, statusText: 'Not Found' }));
  await expect(fetchCall(LIST_PLANS)).rejects.toThrow('404: Not Found');
});

test('contacts that cannot be fetched throw the same words, whatever the failure', async () => {
  const refused = new Response('{"message":"no"}', { status: 500 });
  for (const response of [refused, new Response('<html>'), undefined]) {
    answerWith(response);
    await expect(fetchContacts()).rejects.toThrow('Failed to fetch contacts');
  }
});
