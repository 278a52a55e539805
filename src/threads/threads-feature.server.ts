import type { Feature } from '../site.server.ts';
import { firstAnswersCall } from './first-answers.server.ts';

export const threadsFeature: Feature = {
  calls: [firstAnswersCall],
  intervals: [({ events }) => events.reading, ({ firstAnswers }) => firstAnswers.reading],
};
