/**
 * Runs in the page, where axe is: buttons and links whose name, for those who hear it or speak it, is not what is read
 * on them. What has no words, such as an icon, may be named freely.
 */
export function hiddenNames(): string[] {
  if (!('axe' in window)) return ['axe is not in the page'];
  const axe = window.axe as AxeInPage;
  // Axe takes a closed fold's content for hidden, also where the page shows it (PhoneFold in src/ui/fold.tsx).
  const shown = [...document.querySelectorAll<HTMLDetailsElement>('details:not([open])')].filter(
    (fold) => getComputedStyle(fold, '::details-content').contentVisibility === 'visible',
  );
  for (const fold of shown) fold.open = true;
  axe.setup(document);
  // Behind a modal window nothing can be reached.
  const within = document.querySelector('dialog:modal') ?? document;
  const controls = [...within.querySelectorAll<HTMLElement>('a[href], button, summary')];
  const found = controls
    .filter((control) => control.checkVisibility({ visibilityProperty: true }))
    .map((control) => ({
      read: readOn(control),
      name: bare(axe.commons.text.accessibleText(control)),
    }))
    .filter(({ read, name }) => read !== '' && read !== name)
    .map(({ read, name }) => `reads ${read}, but is named ${name}`);
  axe.teardown();
  for (const fold of shown) fold.open = false;
  return found;

  interface AxeInPage {
    setup(root: Document): void;
    teardown(): void;
    commons: { text: { accessibleText(element: Element): string } };
  }

  /** Its words that are drawn, also where they are scrolled out of sight. */
  function readOn(control: HTMLElement): string {
    const texts = document.createTreeWalker(control, NodeFilter.SHOW_TEXT);
    let words = '';
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const parent = text.parentElement;
      if (!parent?.checkVisibility() || parent.closest('svg, [aria-hidden=true]')) continue;
      if (parent.getBoundingClientRect().width > 1) words += text.textContent;
    }
    return bare(words);
  }

  /** Parts below each other are apart without a space between them. */
  function bare(words: string): string {
    return words.replace(/\s+/g, '');
  }
}
