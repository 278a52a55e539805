import type { Feature } from '../site.server.ts';
import { answerCalls } from './answer-thread.server.ts';
import { inboxCalls } from './inbox.server.ts';
import { messagesCsvCall } from './messages-csv.server.ts';
import { readyAnswersCall } from './ready-answers.server.ts';
import { threadAnswered } from './thread-answered.server.ts';

export const inboxFeature: Feature = {
  calls: [inboxCalls, answerCalls, readyAnswersCall, messagesCsvCall],
  notifications: [threadAnswered],
};
