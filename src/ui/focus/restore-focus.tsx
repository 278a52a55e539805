import { Component, type ReactNode } from 'react';

interface RestoreFocusProps {
  busy?: boolean | undefined;
  children: ReactNode;
}

/**
 * A control that is disabled while it works loses the focus: it gets it back afterwards, unless another has it by then.
 * A class, because only there React says when the control is still enabled: browsers differ in when they take the focus.
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
