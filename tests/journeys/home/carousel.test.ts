import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import slides from '../../../content/slides.json' with { type: 'json' };
import { SCREENS, sharedBrowser } from '../../support/browser.ts';
import { sharedTestApp } from '../../support/test-app.ts';
import { untilReady } from '../../support/wait-for-script.ts';

describe.each(SCREENS)('the carousel on a $name', (screen) => {
  const browser = sharedBrowser({ pictures: true });
  const app = sharedTestApp();

  const pictures = (page: Page) => page.getByRole('region', { name: 'Our work' }).locator('img');

  test('has all its pictures in the page, and fetches each shortly before its turn', async () => {
    const page = await browser.open(screen);
    const fetched = new Set<string>();
    page.on('request', (request) => {
      const name = /\/pictures\/(hero-\d)/.exec(request.url())?.[1];
      if (name) fetched.add(name);
    });
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    // Stands still, so that a slow machine fetches no second picture meanwhile.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 1_000);
    await page.goto(app.address, { waitUntil: 'networkidle' });
    await untilReady(page);
    const alts = await pictures(page).evaluateAll((all) =>
      all.map((each) => each.getAttribute('alt')),
    );
    expect(alts).toEqual(slides.map(({ alt }) => alt));
    expect(fetched.size).toBe(1);
    await page.clock.runFor(4_100);
    await expect.poll(() => fetched.size).toBe(2);
    await page.clock.runFor(4_000);
    await page.clock.resume();
    await expect.poll(() => shown(page)).toBe(1);
    await expect.poll(() => isLoaded(page, 1)).toBe(true);
    await page.getByRole('button', { name: `Slide ${slides[3]?.label}` }).click();
    await expect.poll(() => shown(page)).toBe(3);
    await expect.poll(() => isLoaded(page, 3)).toBe(true);
    await page.getByRole('button', { name: 'Next slide' }).click();
    await expect.poll(() => shown(page)).toBe(0);
    await page.getByRole('button', { name: 'Previous slide' }).click();
    await expect.poll(() => shown(page)).toBe(3);
    const current = page.locator('button[aria-current=true]');
    expect(await current.getAttribute('aria-label')).toBe(`Slide ${slides[3]?.label}`);
    const fade = (slide: Element) => getComputedStyle(slide).transitionDuration;
    expect(await page.locator('figure').first().evaluate(fade)).toBe('1.2s');
  });

  test('turns every 8 seconds unless paused, held, hidden or unwanted, and a manual choice restarts the 8 seconds', async () => {
    const page = await browser.open(screen);
    await page.clock.install();
    await page.goto(app.address);
    await page.clock.pauseAt(Date.now() + 60_000);
    // Not through Playwright's own actions, which hang while the page's clock is paused.
    const act = (name: string, what: 'click' | 'focus' | 'blur') =>
      page.getByRole('button', { name }).evaluate((each: HTMLElement, what) => each[what](), what);
    const turn = async (milliseconds: number, to: number) => {
      await page.clock.runFor(milliseconds);
      await expect.poll(() => shown(page)).toBe(to);
    };
    const live = page.locator('[aria-live]:has(> figure)');
    const hide = (hidden: boolean) =>
      page.evaluate((value) => {
        Object.defineProperty(document, 'hidden', { value, configurable: true });
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
      }, hidden);
    await turn(20_000, 0);
    expect(await live.getAttribute('aria-live')).toBe('polite');
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.getByRole('button', { name: 'Pause slideshow' }).waitFor();
    await act(`Slide ${slides[0]?.label}`, 'click');
    expect(await live.getAttribute('aria-live')).toBe('off');
    await turn(7_900, 0);
    await turn(200, 1);
    await act('Next slide', 'focus');
    await turn(20_000, 1);
    await act('Next slide', 'blur');
    await turn(7_900, 1);
    await turn(200, 2);
    await turn(6_000, 2);
    await act('Previous slide', 'click');
    await turn(7_900, 1);
    await turn(200, 2);
    await act('Pause slideshow', 'click');
    await turn(60_000, 2);
    await act('Play slideshow', 'click');
    await turn(7_900, 2);
    await turn(200, 3);
    await hide(true);
    await turn(20_000, 3);
    await hide(false);
    await turn(8_100, 0);
  });

  const shown = (page: Page) =>
    page
      .locator('figure[aria-roledescription="slide"]')
      .evaluateAll((all) => all.findIndex((each) => each.ariaHidden === 'false'));
  const isLoaded = (page: Page, place: number) =>
    pictures(page)
      .nth(place)
      .evaluate(
        (each) => each instanceof HTMLImageElement && each.complete && each.naturalWidth > 0,
      );
});
