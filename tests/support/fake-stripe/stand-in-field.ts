/** Served from Stripe's origin, so that the page cannot read what is typed. */
export const fieldPath = '/__stand_in/field.html';

const fieldScript = String.raw`
const settings = new URLSearchParams(location.hash.slice(1));
const type = settings.get('type');
const input = document.querySelector('input');
const kinds = {
  cardNumber: {
    name: 'cardnumber', label: 'Credit or debit card number', placeholder: '1234 1234 1234 1234', autocomplete: 'cc-number',
    max: 19, groups: (digits) => digits.match(/.{1,4}/g) || [], joint: ' ',
  },
  cardExpiry: {
    name: 'exp-date', label: 'Credit or debit card expiration date', placeholder: 'MM / YY', autocomplete: 'cc-exp',
    max: 4, groups: (digits) => [digits.slice(0, 2), digits.slice(2)].filter(Boolean), joint: ' / ',
  },
  cardCvc: {
    name: 'cvc', label: 'Credit or debit card CVC/CVV', placeholder: 'CVC', autocomplete: 'cc-csc',
    max: 4, groups: (digits) => [digits], joint: '',
  },
};
const kind = kinds[type];
let style = {};

const digits = () => input.value.replace(/\D/g, '').slice(0, kind.max);
const luhn = (number) =>
  [...number].reverse().reduce((sum, digit, place) => {
    const weighed = place % 2 ? digit * 2 : Number(digit);
    return sum + (weighed > 9 ? weighed - 9 : weighed);
  }, 0) % 10 === 0;

/** The error of a complete entry; undefined when it is valid or incomplete. */
const faultOf = (value) => {
  if (type === 'cardNumber' && value.length >= 16 && !luhn(value)) return ['invalid_number', 'Your card number is invalid.'];
  if (type !== 'cardExpiry' || value.length < 4) return undefined;
  const end = new Date(2000 + Number(value.slice(2)), Number(value.slice(0, 2)), 1);
  return end > new Date() ? undefined : ['invalid_expiry_year_past', "Your card's expiration year is in the past."];
};
const lengths = { cardNumber: 16, cardExpiry: 4, cardCvc: 3 };

const tell = (message) => parent.postMessage({ standIn: true, ...message }, '*');

const paint = (invalid) => {
  input.removeAttribute('style');
  for (const [name, value] of Object.entries({ ...style.base, ...(invalid ? style.invalid : {}) })) {
    if (typeof value === 'string') input.style[name] = value;
  }
};

const report = () => {
  const value = digits();
  const fault = faultOf(value);
  const complete = !fault && value.length >= lengths[type];
  const error = fault && { type: 'validation_error', code: fault[0], message: fault[1] };
  input.setAttribute('aria-invalid', String(Boolean(error)));
  paint(Boolean(error));
  tell({ what: 'change', event: { elementType: type, empty: value === '', complete, error } });
};

input.name = kind.name;
input.autocomplete = kind.autocomplete;
input.setAttribute('aria-label', kind.label);
input.placeholder = kind.placeholder;
input.addEventListener('input', () => {
  input.value = kind.groups(digits()).join(kind.joint);
  report();
});

const orders = {
  style(given) {
    style = given;
    paint(false);
  },
  focus: () => input.focus(),
  async tokenize({ ticket, api, key }) {
    try {
      const response = await fetch(api + 'tokens', { method: 'POST', body: JSON.stringify({ key, number: digits() }) });
      tell({ what: 'token', ticket, answer: await response.json() });
    } catch {
      tell({ what: 'token', ticket, answer: null });
    }
  },
};
addEventListener('message', ({ source, data }) => {
  if (source === parent && data && data.standIn) orders[data.order](data.given);
});
tell({ what: 'loaded' });
`;

export const fieldHtml = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Stand-in card field</title>
<style>
html, body { margin: 0; height: 100%; background: transparent; }
input { box-sizing: border-box; width: 100%; height: 100%; padding: 0; border: 0; outline: 0; background: transparent; font: 16px sans-serif; }
</style>
</head>
<body>
<input inputmode="numeric" spellcheck="false">
<script>${fieldScript}</script>
</body>
</html>
`;
