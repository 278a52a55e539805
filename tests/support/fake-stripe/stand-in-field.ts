/** Where the interception serves the fields from: Stripe's own origin, so that a page cannot read what is typed. */
export const fieldPath = '/__stand_in/field.html';

const fieldScript = String.raw`
const settings = new URLSearchParams(location.hash.slice(1));
const type = settings.get('type');
const input = document.querySelector('input');
const year = new Date().getFullYear() % 100;
const month = new Date().getMonth() + 1;
const kinds = {
  cardNumber: {
    name: 'cardnumber', label: 'Credit or debit card number', placeholder: '1234 1234 1234 1234', autocomplete: 'cc-number',
    max: 19, groups: (digits) => digits.match(/.{1,4}/g) || [], joint: ' ',
    short: ['incomplete_number', 'Your card number is incomplete.'],
  },
  cardExpiry: {
    name: 'exp-date', label: 'Credit or debit card expiration date', placeholder: 'MM / YY', autocomplete: 'cc-exp',
    max: 4, groups: (digits) => [digits.slice(0, 2), digits.slice(2)].filter(Boolean), joint: ' / ',
    short: ['incomplete_expiry', "Your card's expiration date is incomplete."],
  },
  cardCvc: {
    name: 'cvc', label: 'Credit or debit card CVC/CVV', placeholder: 'CVC', autocomplete: 'cc-csc',
    max: 4, groups: (digits) => [digits], joint: '',
    short: ['incomplete_cvc', "Your card's security code is incomplete."],
  },
};
const kind = kinds[type];
let style = {};
let left = false;

const digits = () => input.value.replace(/\D/g, '').slice(0, kind.max);
const luhn = (number) =>
  [...number].reverse().reduce((sum, digit, place) => {
    const weighed = place % 2 ? digit * 2 : Number(digit);
    return sum + (weighed > 9 ? weighed - 9 : weighed);
  }, 0) % 10 === 0;

const judge = (value) => {
  if (type === 'cardNumber') {
    if (value.length < 16) return { complete: false };
    return luhn(value) ? { complete: true } : { complete: false, fault: ['invalid_number', 'Your card number is invalid.'] };
  }
  if (type === 'cardCvc') return { complete: value.length >= 3 };
  const [mm, yy] = [Number(value.slice(0, 2)), Number(value.slice(2))];
  if (value.length < 4) return { complete: false };
  if (mm < 1 || mm > 12) return { complete: false, fault: ['invalid_expiry_month', "Your card's expiration date is invalid."] };
  if (yy < year) return { complete: false, fault: ['invalid_expiry_year_past', "Your card's expiration year is in the past."] };
  if (yy === year && mm < month) return { complete: false, fault: ['invalid_expiry_month_past', "Your card's expiration date is in the past."] };
  return { complete: true };
};

const tell = (message) => parent.postMessage({ standIn: true, ...message }, '*');

const paint = (invalid) => {
  input.removeAttribute('style');
  for (const [name, value] of Object.entries({ ...style.base, ...(invalid ? style.invalid : {}) })) {
    if (typeof value === 'string') input.style[name] = value;
  }
};

const report = () => {
  const value = digits();
  const { complete, fault } = judge(value);
  const found = fault || (left && value !== '' && !complete ? kind.short : undefined);
  const error = found && { type: 'validation_error', code: found[0], message: found[1] };
  input.setAttribute('aria-invalid', String(Boolean(error)));
  paint(Boolean(error));
  tell({ what: 'change', event: { elementType: type, empty: value === '', complete, error } });
};

input.name = kind.name;
input.autocomplete = kind.autocomplete;
input.setAttribute('aria-label', kind.label);
input.placeholder = kind.placeholder;
input.addEventListener('input', () => {
  left = false;
  input.value = kind.groups(digits()).join(kind.joint);
  report();
});
input.addEventListener('focus', () => tell({ what: 'focus' }));
input.addEventListener('blur', () => {
  left = true;
  tell({ what: 'blur' });
  report();
});
input.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') tell({ what: 'escape' });
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
