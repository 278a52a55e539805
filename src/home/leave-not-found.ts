/** The countdown of the 404 page, which waits for whoever is at its links or in another tab. */
export function leaveNotFound(): void {
  const box = document.querySelector('[data-leaving]');
  const [staying, leaving] = box?.querySelectorAll('p') ?? [];
  const [left, unit] = leaving?.querySelectorAll('span') ?? [];
  const stay = box?.querySelector('button');
  if (!box || !staying || !leaving || !left || !unit || !stay) return;
  leaving.hidden = false;
  stay.hidden = false;
  let seconds = Number(left.textContent);
  const countdown = setInterval(() => {
    if (document.hidden || box.matches(':hover') || box.querySelector(':focus-visible')) return;
    seconds -= 1;
    left.textContent = `${seconds}`;
    unit.textContent = seconds === 1 ? 'second.' : 'seconds.';
    if (seconds === 0) location.replace('/');
  }, 1000);
  stay.addEventListener('click', () => {
    clearInterval(countdown);
    leaving.remove();
    stay.remove();
    staying.hidden = false;
    staying.tabIndex = -1;
    staying.focus();
  });
}
