import { setTimeout as pause } from 'node:timers/promises';
import { MAX_SIGN_INS_WAITING } from '../../src/limits.ts';
import { passwordMatches } from '../../src/sign-in/password.server.ts';
import { ONE_OF_MANY_GUESSES } from './test-plan.ts';

/** Runs `act` while so many passwords are guessed that no stranger's can be hashed. */
export async function whileManyGuess<Result>(act: () => Promise<Result>): Promise<Result> {
  let isOver = false;
  // Each keeps guessing, so that the queue stays full until the end.
  const guesses = Array.from({ length: MAX_SIGN_INS_WAITING + 2 }, async () => {
    while (!isOver)
      if ((await passwordMatches(ONE_OF_MANY_GUESSES, undefined, 'stranger')) === undefined)
        await pause(5);
  });
  try {
    return await act();
  } finally {
    isOver = true;
    await Promise.all(guesses);
  }
}
