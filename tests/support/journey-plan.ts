/**
 * Picks the journeys to run. In the gate each journey runs once, on the screen that its position in
 * the file selects; `npm run test:full` runs it on both.
 */
import { inject, TestRunner } from 'vitest';
import { SCREENS } from './browser.ts';

type Files = Parameters<NonNullable<TestRunner['onAfterRunFiles']>>[0];
type Suite = Files[number];
type Task = Suite['tasks'][number];

export default class PlannedRunner extends TestRunner {
  onCollected(files: Files): void {
    if (inject('everything')) return;
    for (const file of files) {
      const titles = new Map<string, number>();
      leaveOut(file, undefined, (title) => {
        const place = titles.get(title) ?? titles.size;
        titles.set(title, place);
        return SCREENS[place % SCREENS.length]?.name;
      });
    }
  }
}

type ScreenFor = (title: string) => string | undefined;

/** `screen`: that of an enclosing suite. Returns whether anything is left to run. */
function leaveOut(task: Task | Suite, screen: string | undefined, screenFor: ScreenFor): boolean {
  if (task.type === 'test') {
    const chosen = screenFor(task.name);
    if (screen && chosen !== screen) task.mode = 'skip';
    return task.mode !== 'skip';
  }
  const left = task.tasks
    .map((each) => leaveOut(each, screenOf(each, task.tasks) ?? screen, screenFor))
    .some(Boolean);
  if (!left) task.mode = 'skip';
  return left;
}

/** The screen that a suite names, unless the suite is for that screen alone. */
function screenOf({ name }: Task, siblings: Task[]): string | undefined {
  const own = SCREENS.find((screen) => name.endsWith(` ${screen.name}`))?.name;
  const other = SCREENS.find((screen) => screen.name !== own)?.name;
  const twin = own && name.slice(0, -own.length) + other;
  return siblings.some((each) => each.name === twin) ? own : undefined;
}
