/** What each peer answers to its contact form: the message as the product's own schema reads it, kept nowhere. */
import { contactMessage, faultsOf } from './contact-message.ts';

export async function answerContact(request: Request): Promise<Response> {
  const { success, data, error } = contactMessage.safeParse(await request.json());
  if (!success) {
    const errors = error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
    const [, message = 'This could not be read'] = Object.values(faultsOf(errors));
    return Response.json({ message, errors }, { status: 400 });
  }
  const contact = { id: 1, ...data, createdAt: new Date().toISOString() };
  return Response.json({ contact, reference: 'C-1' }, { status: 201 });
}
