/**
 * Finds text and controls, on the whole page or inside the selector, that are outside the viewport,
 * cut off or overlapping. Runs in the page, so it is self-contained.
 */
export function layoutFaults(within = 'body'): string[] {
  const TOLERANCE_PX = 1;
  const width = document.documentElement.clientWidth;
  /** Remembers what is true of an element, because each text within it asks. */
  const once = <Answer>(answer: (element: Element) => Answer) => {
    const known = new Map<Element, Answer>();
    return (element: Element): Answer => {
      const found = known.has(element) ? (known.get(element) as Answer) : answer(element);
      known.set(element, found);
      return found;
    };
  };
  /** Its style and its parent; null for the body and what is outside of it. */
  const boxOf = once((element) => {
    const parent = element === document.body ? null : element.parentElement;
    if (!parent) return null;
    const { overflowX, overflowY, textOverflow, webkitLineClamp, position } =
      getComputedStyle(element);
    return { parent, overflowX, overflowY, textOverflow, webkitLineClamp, position };
  });
  /** Text in a scrolling box, or with an ellipsis, is not lost. */
  const showsTheRest = once((element): boolean => {
    const box = boxOf(element);
    if (!box) return false;
    const scrolls = /auto|scroll/.test(box.overflowX) || box.textOverflow === 'ellipsis';
    return scrolls || showsTheRest(box.parent);
  });
  /** Fixed and sticky elements cover the page on purpose. */
  const layerOf = once((element): Element => {
    const box = boxOf(element);
    return !box || /fixed|sticky/.test(box.position) ? element : layerOf(box.parent);
  });
  /** The nearest clipping ancestor; none if a box in between scrolls, or shows an ellipsis. */
  const clippingBox = once((element): DOMRect | undefined => {
    const box = boxOf(element);
    if (!box) return undefined;
    const overflow = `${box.overflowX} ${box.overflowY}`;
    const ends = box.textOverflow === 'ellipsis' || box.webkitLineClamp !== 'none';
    if (/auto|scroll/.test(overflow) || ends) return undefined;
    if (/hidden|clip/.test(overflow)) return element.getBoundingClientRect();
    // A fixed element, such as a toast in a dialog, is not clipped by its ancestors.
    return box.position === 'fixed' ? undefined : clippingBox(box.parent);
  });
  const lines = [...textLines(), ...controls()];
  return [...new Set([...beyondTheEdges(), ...cut(), ...overlapping()])];

  function beyondTheEdges(): string[] {
    const sideways = document.documentElement.scrollWidth - window.innerWidth;
    const outside = lines.filter(
      ({ box, element }) =>
        (box.left < -TOLERANCE_PX || box.right > width + TOLERANCE_PX) && !showsTheRest(element),
    );
    return [
      ...(sideways > 0 ? [`the page scrolls sideways by ${sideways} px`] : []),
      ...outside.map(({ words }) => `outside the viewport: ${words}`),
    ];
  }

  /** Cut off by a clipping box, or past the edge of a button. */
  function cut(): string[] {
    return lines.flatMap(({ words, element, box }) => {
      const edges = clippingBox(element) ?? buttonBox(element);
      const fits =
        !edges ||
        (box.left >= edges.left - TOLERANCE_PX &&
          box.right <= edges.right + TOLERANCE_PX &&
          box.bottom - box.height / 4 <= edges.bottom &&
          box.top + box.height / 4 >= edges.top);
      return fits ? [] : [`cut: ${words}`];
    });
  }

  function overlapping(): string[] {
    const faults: string[] = [];
    const sorted = lines
      .filter(({ element }) => !showsTheRest(element))
      .toSorted((one, other) => one.box.top - other.box.top);
    for (const [place, line] of sorted.entries()) {
      for (const next of sorted.slice(place + 1)) {
        if (next.box.top > line.box.bottom) break;
        if (
          line.layer === next.layer &&
          line.element !== next.element &&
          overlap(line.box, next.box)
        )
          faults.push(`overlapping: ${line.words} / ${next.words}`);
      }
    }
    return faults;
  }

  /** Line boxes are taller than their letters, so neighbours may overlap a little. */
  function overlap(one: DOMRect, other: DOMRect): boolean {
    const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
    const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
    return across > 2 && down > Math.min(one.height, other.height) * 0.35;
  }

  function textLines() {
    const modal = document.querySelector('dialog:modal');
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: { words: string; element: Element; layer: Element; box: DOMRect }[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      const text = node.textContent?.trim();
      if (!element?.closest(within) || !text || !isSeen(element)) continue;
      if (modal && !modal.contains(element)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const box of range.getClientRects()) {
        if (box.width > 1 && box.height > 1)
          found.push({ words: `"${text.slice(0, 60)}"`, element, layer: layerOf(element), box });
      }
    }
    return found;
  }

  function controls() {
    const modal = document.querySelector('dialog:modal');
    return [...(modal ?? document.body).querySelectorAll('button, input, select, textarea')]
      .filter((control) => control.closest(within) && isSeen(control))
      .filter((control) => !control.closest('[aria-hidden="true"]'))
      .map((control) => ({
        words: `a control, ${control.outerHTML.slice(0, 80)}`,
        element: control.parentElement ?? control,
        layer: control,
        box: control.getBoundingClientRect(),
      }));
  }

  function isSeen(element: Element): boolean {
    if (element.closest('noscript') || isVisuallyHidden(element)) return false;
    return element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  }

  /** For screen readers only: clipped to one pixel. */
  function isVisuallyHidden(element: Element): boolean {
    const { width, height } = clippingBox(element) ?? element.getBoundingClientRect();
    return Math.min(width, height) <= 1;
  }

  function buttonBox(element: Element): DOMRect | undefined {
    const button = element.closest('button, [class*="rounded-control"]');
    return button?.getBoundingClientRect();
  }
}

/** Describes the focus rings of all that the keyboard can reach; each distinct one once. */
export function focusRings(within = 'body'): string[] {
  const stops = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';
  const rings = new Set<string>();
  for (const stop of document.querySelectorAll<HTMLElement>(stops)) {
    if (!stop.closest(within)) continue;
    if (!stop.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    if (stop.matches(':disabled, [tabindex="-1"]')) continue;
    stop.focus({ preventScroll: true });
    if (document.activeElement !== stop) continue;
    // For a card that is one big radio button, the card has the ring.
    const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(
      stop.closest('label:has(:focus-visible)') && getComputedStyle(stop).outlineStyle === 'none'
        ? (stop.closest('label') ?? stop)
        : stop,
    );
    rings.add(
      outlineStyle === 'none'
        ? `none on ${stop.outerHTML.slice(0, 120)}`
        : `${outlineStyle} ${outlineWidth} ${outlineOffset}`,
    );
  }
  return [...rings];
}
