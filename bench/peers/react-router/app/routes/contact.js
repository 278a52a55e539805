import { answerContact } from '../../generated/contact/answer-contact.ts';

export const action = ({ request }) => answerContact(request);
