export { answerContact as POST } from '../../../generated/contact/answer-contact.ts';
