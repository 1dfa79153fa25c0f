// Moments as RFC 3339 writes them, in the part that every library reads (event: timestamp).

const DATE_TIME =
  /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:Z|[+-](\d\d):(\d\d))$/;

/** Whether a value is a timestamp. */
export function isTimestamp(value) {
  const match = typeof value === 'string' ? DATE_TIME.exec(value) : null;
  if (match === null) return false;
  const [year, month, day, hour, minute, second, offHour = 0, offMinute = 0] =
    match.slice(1).map((digits) => digits && Number(digits));
  const isDay = year >= 1 && day >= 1 && day <= daysOf(year, month);
  return isDay && hour <= 23 && minute <= 59 && second <= 59 && offHour <= 23 && offMinute <= 59;
}

/** How many days a month has, and 0 where there is none of that number. */
function daysOf(year, month) {
  if (month === 2) return isLeap(year) ? 29 : 28;
  if (month < 1 || month > 12) return 0;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

function isLeap(year) {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}
