import { describe, expect, test } from 'vitest';
import { checkBilling } from './place-order.ts';

const GOOD = {
  name: ' Pat Buyer ',
  email: 'pat@example.com',
  phone: '',
  company: '',
  postalCode: '30060',
};
const BAD = { name: 'P', email: 'pat', phone: '12', company: '', postalCode: '3006' };
const FAULTS = {
  name: 'Name must be at least 2 characters',
  email: 'Please enter a valid email address',
  phone: 'Please enter at least 10 digits for your phone number',
};

describe('who pays, and where', () => {
  test('is told field by field, the ZIP code only where there is sales tax', () => {
    expect(checkBilling(BAD, false)).toEqual({ faults: FAULTS });
    const postalCode = 'The ZIP code must have 5 digits, such as 30060';
    expect(checkBilling(BAD, true)).toEqual({ faults: { ...FAULTS, postalCode } });
  });

  test('is sent as it is meant: trimmed, and without what is empty or not asked for', () => {
    const value = { name: 'Pat Buyer', email: 'pat@example.com', phone: null, company: null };
    expect(checkBilling(GOOD, true)).toEqual({
      value: { ...value, postalCode: '30060' },
      faults: {},
    });
    expect(checkBilling(GOOD, false)).toEqual({
      value: { ...value, postalCode: null },
      faults: {},
    });
  });

  test('is asked for what is missing, in other words than what is wrong', () => {
    const empty = { name: ' ', email: '', phone: '', company: '', postalCode: '' };
    expect(checkBilling(empty, true)).toEqual({
      faults: {
        name: 'Please enter the name on your card',
        email: 'Please enter your email address',
        postalCode: 'Please enter your ZIP code',
      },
    });
  });

  test('has a company where one is given', () => {
    const company = ' Lantern Row Motors ';
    expect(checkBilling({ ...GOOD, company }, false).value?.company).toBe('Lantern Row Motors');
    const faults = { company: 'Please use at most 100 characters' };
    expect(checkBilling({ ...GOOD, company: 'x'.repeat(101) }, false)).toEqual({ faults });
  });

  test('has one word at each field, the first', () => {
    const wide = { ...GOOD, name: `${'\u0007'.repeat(2)}${'x'.repeat(120)}` };
    expect(checkBilling(wide, false).faults).toEqual({ name: 'Please use at most 100 characters' });
  });

  test.each(['30060', '30060-1234'])('is a ZIP code as %s', (postalCode) => {
    expect(checkBilling({ ...GOOD, postalCode }, true).faults).toEqual({});
  });

  test.each(['3006', '300601', 'a30060', '30060b', '30060-12345', '30060 1234'])(
    'is no ZIP code as %s',
    (postalCode) => {
      expect(Object.keys(checkBilling({ ...GOOD, postalCode }, true).faults)).toEqual([
        'postalCode',
      ]);
    },
  );
});
