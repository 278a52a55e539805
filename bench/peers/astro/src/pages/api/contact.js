import { answerContact } from '../../../generated/contact/answer-contact.ts';

export const prerender = false;
export const POST = ({ request }) => answerContact(request);
