import { focusOn } from './focus-on.ts';

/** Has taken the focus over from a button that is gone. */
let holder: HTMLElement | null = null;

/** The `ref` of a button that comes back when it has failed: it then takes the focus that it left. */
export function passFocusOn(button: HTMLButtonElement) {
  const leave = leaveFocus(button);
  if (document.activeElement === holder) button.focus();
  return leave;
}

/** The `ref` of a button that goes with its part when it is pressed: what stays around takes the focus, its heading first. */
export function leaveFocus(button: HTMLButtonElement) {
  let held = document.activeElement === button;
  const hold = () => {
    held = true;
  };
  button.addEventListener('focus', hold);
  // Not every browser gives the focus to a button that is clicked.
  button.addEventListener('click', hold);
  // A button that is disabled while it works loses the focus, too.
  button.addEventListener('blur', () => {
    held = button.disabled;
  });
  return () => {
    // One that goes while nobody is at it leaves nothing.
    if (!held) return;
    // Of what is removed, a range keeps the place.
    const place = new Range();
    place.selectNode(button);
    // A part that fails again at once has its next button before anything else can take the focus.
    holder = document.body;
    queueMicrotask(() => {
      const lost = document.activeElement === holder;
      const around = place.startContainer;
      holder = null;
      if (!lost || !(around instanceof HTMLElement)) return;
      holder = around.querySelector<HTMLElement>('h1, h2, h3') ?? around;
      focusOn(holder);
    });
  };
}
