import type { Feature } from '../site.server.ts';
import { secondFactorCalls, secondFactorChanged } from './second-factor.server.ts';
import { signInCalls } from './sign-in.server.ts';

export const signInFeature: Feature = {
  calls: [signInCalls, secondFactorCalls],
  notifications: [secondFactorChanged],
};
