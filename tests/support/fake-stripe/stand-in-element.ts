/** Script text: the card fields as Stripe.js makes them, each an input in a frame of Stripe's origin. */
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
  #container = null;
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
  once(name, listener) {
    const only = (event) => {
      this.off(name, only);
      listener(event);
    };
    return this.on(name, only);
  }
  off(name, listener) {
    this.#listeners.set(name, listener ? (this.#listeners.get(name) || []).filter((one) => one !== listener) : []);
    return this;
  }
  _fire(name, event) {
    for (const listener of this.#listeners.get(name) || []) listener(event);
  }
  mount(target) {
    const node = typeof target === 'string' ? document.querySelector(target) : target;
    if (!(node instanceof Element)) throw integrationError('The selector you specified (' + target + ') applies to no DOM elements that are currently on the page.');
    if (this.#frame) this.unmount();
    this.#container = node;
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
    this._mark(false);
  }
  _onLabel = () => this.focus();
  _mark(focused) {
    const { base = 'StripeElement', complete = 'StripeElement--complete', empty = 'StripeElement--empty', focus = 'StripeElement--focus', invalid = 'StripeElement--invalid' } = this._options.classes || {};
    const marks = [[base, true], [complete, this._state.complete], [empty, this._state.empty], [focus, focused], [invalid, Boolean(this._state.error)]];
    for (const [names, wanted] of marks) {
      for (const name of names.split(' ').filter(Boolean)) this.#container?.classList.toggle(name, wanted);
    }
    this._focused = focused;
  }
  _receive({ source, origin, data }) {
    if (!this.#frame || source !== this.#frame.contentWindow || origin !== fieldOrigin || !data || !data.standIn) return;
    if (data.what === 'loaded') {
      this._order('options', this._given());
      this._fire('ready', { elementType: this._type });
    } else if (data.what === 'token') {
      this.#tickets.get(data.ticket)?.(data.answer);
      this.#tickets.delete(data.ticket);
    } else if (data.what === 'change') {
      const changed = JSON.stringify(data.event) !== this._last;
      this._last = JSON.stringify(data.event);
      this._state = data.event;
      this._mark(this._focused);
      if (changed) this._fire('change', data.event);
    } else {
      if (data.what !== 'escape') this._mark(data.what === 'focus');
      this._fire(data.what, { elementType: this._type });
    }
  }
  _given() {
    const { placeholder, disabled, style } = this._options;
    return { placeholder, disabled, style: style && JSON.parse(JSON.stringify(style)) };
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
  update(options) {
    this._options = { ...this._options, ...options };
    this._order('options', this._given());
  }
  focus() { this._order('focus'); }
  blur() { this._order('blur'); }
  clear() { this._order('clear'); }
  unmount() {
    removeEventListener('message', this._receive);
    this.#label?.removeEventListener('click', this._onLabel);
    this.#frame?.remove();
    this.#frame = null;
    this._last = undefined;
    this._state = { empty: true, complete: false, error: undefined };
  }
  destroy() {
    this.unmount();
    this._leave();
  }
}
`;

/** Script text: the bank's step of 3-D Secure, reduced to its two ends. */
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
