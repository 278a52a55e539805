/** The card fields: each is an input in an iframe from Stripe's origin. */
export const elementPart = `
const titles = {
  cardNumber: 'Secure card number input frame',
  cardExpiry: 'Secure expiration date input frame',
  cardCvc: 'Secure CVC input frame',
};
let frames = 0;

class StandInElement {
  #listeners = new Map();
  #frame = null;
  #label = null;
  #tickets = new Map();
  constructor(type, options, leave) {
    this._type = type;
    this._options = options || {};
    this._leave = leave;
    this._state = { empty: true, complete: false, error: undefined };
    this._receive = this._receive.bind(this);
  }
  on(name, listener) {
    if (typeof listener !== 'function') throw integrationError('Invalid event listener for ' + name + '.');
    this.#listeners.set(name, [...(this.#listeners.get(name) || []), listener]);
    return this;
  }
  off(name, listener) {
    this.#listeners.set(name, (this.#listeners.get(name) || []).filter((one) => one !== listener));
    return this;
  }
  _fire(name, event) {
    for (const listener of this.#listeners.get(name) || []) listener(event);
  }
  mount(node) {
    const frame = document.createElement('iframe');
    frames += 1;
    frame.name = '__privateStripeFrame' + frames;
    frame.title = titles[this._type];
    frame.src = fieldOrigin + fieldPath + '#type=' + this._type;
    frame.allow = 'payment *';
    const look = { border: '0', display: 'block', width: '100%', height: '1.2em', margin: '0', padding: '0' };
    for (const [name, value] of Object.entries(look)) frame.style.setProperty(name, value);
    this.#frame = frame;
    node.replaceChildren(frame);
    addEventListener('message', this._receive);
    this.#label = node.id ? document.querySelector('label[for="' + CSS.escape(node.id) + '"]') : null;
    if (this.#label) this.#label.addEventListener('click', this._onLabel);
  }
  _onLabel = () => this.focus();
  _receive({ source, origin, data }) {
    if (!this.#frame || source !== this.#frame.contentWindow || origin !== fieldOrigin || !data || !data.standIn) return;
    if (data.what === 'loaded') {
      this._order('style', JSON.parse(JSON.stringify(this._options.style ?? {})));
      this._fire('ready', { elementType: this._type });
    } else if (data.what === 'token') {
      this.#tickets.get(data.ticket)?.(data.answer);
      this.#tickets.delete(data.ticket);
    } else if (data.what === 'change') {
      const changed = JSON.stringify(data.event) !== this._last;
      this._last = JSON.stringify(data.event);
      this._state = data.event;
      // Stripe.js marks the field's container; tests wait for that before they pay.
      this.#frame.parentElement.classList.toggle('StripeElement--complete', data.event.complete);
      if (changed) this._fire('change', data.event);
    }
  }
  _order(order, given) {
    this.#frame?.contentWindow?.postMessage({ standIn: true, order, given }, fieldOrigin);
  }
  _token(key) {
    return new Promise((resolve) => {
      const ticket = String(Math.random());
      this.#tickets.set(ticket, resolve);
      this._order('tokenize', { ticket, api, key });
    });
  }
  update(given) {
    this._options = { ...this._options, ...given };
    this._order('style', JSON.parse(JSON.stringify(this._options.style ?? {})));
  }
  focus() { this._order('focus'); }
  destroy() {
    removeEventListener('message', this._receive);
    this.#label?.removeEventListener('click', this._onLabel);
    this.#frame?.remove();
    this.#frame = null;
    this._leave();
  }
}
`;

/** Script source of the 3-D Secure window, reduced to its two outcomes. */
export const challengePart = `
const challenge = () =>
  new Promise((resolve) => {
    const overlay = document.createElement('div');
    overlay.setAttribute('role', 'dialog');
    overlay.setAttribute('aria-modal', 'true');
    overlay.setAttribute('aria-label', '3D Secure authentication');
    const look = { position: 'fixed', inset: '0', 'z-index': '2147483647', display: 'grid', 'place-content': 'center', gap: '12px', background: 'rgb(0 0 0 / 70%)' };
    for (const [name, value] of Object.entries(look)) overlay.style.setProperty(name, value);
    const button = (label, answer) => {
      const made = document.createElement('button');
      made.type = 'button';
      made.textContent = label;
      made.style.setProperty('padding', '12px 20px');
      made.addEventListener('click', () => {
        overlay.remove();
        resolve(answer);
      });
      return made;
    };
    const first = button('Complete authentication', true);
    overlay.append(first, button('Fail authentication', false));
    document.body.append(overlay);
    first.focus();
  });
`;
