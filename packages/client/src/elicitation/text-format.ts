const day = /^(\d{4})-(\d{2})-(\d{2})$/;
const moment =
  /^(\d{4}-\d{2}-\d{2})[Tt](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
const mailAddress = /^[^\s@]+@[^\s@]+$/;

interface Format {
  readonly isMet: (text: string) => boolean;
  /** What to give, as a user would say it. */
  readonly wanted: string;
}

const formats: ReadonlyMap<string, Format> = new Map([
  ['email', { isMet: (text) => mailAddress.test(text), wanted: 'an e-mail address, such as name@example.com' }],
  ['uri', { isMet: (text) => URL.canParse(text), wanted: 'a whole address, such as https://example.com/page' }],
  ['date', { isMet: isDay, wanted: 'a day, such as 2026-05-31' }],
  ['date-time', { isMet: isMoment, wanted: 'a moment with its time zone, such as 2026-05-31T14:30:00Z' }],
]);

/** What a text of this format should be, if it is not; formats nobody knows are met by every text. */
export function missedFormat(format: string, text: string): string | undefined {
  const known = formats.get(format);
  return known && !known.isMet(text) ? known.wanted : undefined;
}

/** The calendar decides: a thirtieth of February is the second of March to `Date`. */
function isDay(text: string): boolean {
  const [, year, month, date] = day.exec(text) ?? [];
  if (year === undefined) return false;
  const parsed = new Date(`${text}T00:00:00Z`);
  return parsed.getUTCMonth() + 1 === Number(month) && parsed.getUTCDate() === Number(date);
}

function isMoment(text: string): boolean {
  const [, date] = moment.exec(text) ?? [];
  return date !== undefined && isDay(date);
}
