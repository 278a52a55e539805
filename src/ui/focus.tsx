import { Component, type ReactNode } from 'react';

/** Moves the focus without scrolling, also to an element that is not focusable by itself. */
export function moveFocusTo(element: HTMLElement | null): void {
  if (!element) return;
  if (!element.hasAttribute('tabindex')) element.tabIndex = -1;
  element.focus({ preventScroll: true });
}

/** The element that took the focus when the last button with `moveFocusOnRemove` was removed. */
let lastTarget: HTMLElement | null = null;

/** The `ref` of a 'Try again' button: if trying fails again, the new button takes over the focus of the old one. */
export function keepFocusOnRetry(button: HTMLButtonElement) {
  if (document.activeElement === lastTarget) button.focus();
  return moveFocusOnRemove(button);
}

/** The `ref` of a button that a press removes: the focus moves to the heading of its parent, or to the parent. */
export function moveFocusOnRemove(button: HTMLButtonElement) {
  let wasPressed = false;
  button.addEventListener('click', () => {
    wasPressed = true;
  });
  return () => {
    // A busy button is disabled, and has lost the focus by the time it is removed.
    if (!wasPressed && document.activeElement !== button) return;
    // A range keeps its position when the node is removed.
    const position = new Range();
    position.selectNode(button);
    // If the part fails again at once, its new button mounts before the microtask, with the focus on the body.
    lastTarget = document.body;
    queueMicrotask(() => {
      const parent = position.startContainer;
      const lost = document.activeElement === lastTarget && parent instanceof HTMLElement;
      lastTarget = lost ? (parent.querySelector<HTMLElement>('h1, h2, h3') ?? parent) : null;
      moveFocusTo(lastTarget);
    });
  };
}

interface RestoreFocusProps {
  busy?: boolean;
  children: ReactNode;
}

/**
 * A control that is disabled while busy loses the focus. This returns it afterwards, unless the focus has moved on.
 * A class for getSnapshotBeforeUpdate, the only place to read the focus before the control is disabled.
 */
export class RestoreFocus extends Component<RestoreFocusProps> {
  #focused: Element | null = null;

  override getSnapshotBeforeUpdate(before: RestoreFocusProps): Element | null {
    return this.props.busy && !before.busy ? document.activeElement : null;
  }

  override componentDidUpdate(before: RestoreFocusProps, _: unknown, focused: Element | null) {
    if (focused) this.#focused = focused;
    if (this.props.busy || !before.busy) return;
    const lost = document.activeElement === document.body;
    if (lost && this.#focused instanceof HTMLElement) this.#focused.focus({ preventScroll: true });
  }

  override render() {
    return this.props.children;
  }
}
