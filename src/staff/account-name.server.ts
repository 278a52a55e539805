/** The name under which colleagues read what an account did: no two look alike. */

/** What looks like each Latin letter, in the scripts that names in a directory are typed in. */
const ALIKE = {
  ...{ a: 'АаΑαɑᴀᎪ', b: 'ВвΒβЬьʙᏴ', c: 'СсϹϲᴄᏟ', d: 'ԀԁđᴅᎠ', e: 'ЕеΕεҽᴇᎬ℮', f: 'Ϝƒꜰ', g: 'ɡցɢᏀ' },
  ...{ h: 'НнΗһհʜᎻ', i: 'ІіΙιıӀӏl1|ǀǃɩɪłŁʟᏞ', j: 'ЈјᴊᎫ', k: 'КкΚκᴋᏦ', m: 'МмΜᴍᎷ', n: 'Νηոɴ' },
  ...{ o: 'ОоΟοօøσ0ᴏ', p: 'РрΡρᴘᏢ', q: 'Ԛԛ', r: 'ʀᎡᏒ', s: 'ЅѕꜱᏚ', t: 'ТтΤτᴛᎢ', u: 'υսᴜ' },
  ...{ v: 'νѵᴠᏙ', w: 'ԜԝωᴡᎳ', x: 'ХхΧχ', y: 'УуΥүγʏ', z: 'ΖᴢᏃ' },
};
const LATIN = new Map(
  Object.entries(ALIKE).flatMap(([latin, signs]) => Array.from(signs, (sign) => [sign, latin])),
);
const toLatin = (sign: string) => LATIN.get(sign) ?? sign;

/** The name without case, width, accents, blanks, and with one letter for all alike. */
export function foldName(name: string): string {
  const letters = name.normalize('NFKD').replace(/[^\p{L}\p{N}|℮@()]/gu, '');
  const latin = Array.from(letters, toLatin).join('').toLowerCase();
  return Array.from(latin, toLatin).join('').replaceAll('rn', 'm').replaceAll('vv', 'w');
}

/** Only the site parts namesakes by what stands in parentheses, so a name from outside has none. */
export function withoutParentheses(name: string): string {
  return name
    .replace(/[\p{Ps}\p{Pe}]+/gu, ' ')
    .replace(/[@＠﹫]/g, ' at ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** From the best one on: the name itself, parted by a verified address, by a number. */
export function* possibleNames(name: string, verifiedEmail: string | null): Generator<string> {
  yield name;
  if (verifiedEmail !== null) yield `${name} (${verifiedEmail})`;
  for (let number = 2; ; number += 1) yield `${name} (${number})`;
}
