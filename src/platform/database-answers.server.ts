import type { Database } from './database.server.ts';

/** Gives up after a second and a half: a load balancer that asks wants an answer. */
export async function databaseAnswers({ db }: Database): Promise<boolean> {
  const answered = db
    .selectFrom('plans')
    .select('id')
    .limit(1)
    .execute()
    .then(
      () => true,
      () => false,
    );
  const tooLate = new Promise<boolean>((resolve) => setTimeout(resolve, 1500, false).unref());
  return Promise.race([answered, tooLate]);
}
