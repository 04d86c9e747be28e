import { DurationValue } from "@trefoil/graph-store";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromEpochDay, toEpochDay, weekDateOf } from "../../values/temporal/calendar.ts";
import { checkedDay } from "../../values/temporal/limits.ts";
import { durationOf } from "../../values/temporal/duration.ts";
import { addDuration } from "../../values/temporal/temporal-arithmetic.ts";
import { compareTemporal } from "../../values/temporal/temporal-order.ts";
import { temporalText } from "../../values/temporal/temporal-text.ts";
import { offsetText, parseTimeZone } from "../../values/temporal/time-zone.ts";
import { type Value } from "../../values/value.ts";
import { isTemporal } from "../../values/value-kind.ts";
import { findFunction } from "../registry.ts";
import { contextWithoutGraph } from "../testing/function-context.ts";

function call(name: string, ...args: Value[]): Value {
  const definition = findFunction(name, "modern");
  return definition === undefined || definition.aggregate
    ? null
    : definition.call(contextWithoutGraph("modern"), ...args);
}

function text(value: Value): string {
  return isTemporal(value) ? temporalText(value) : String(value as string);
}

const map = (fields: Record<string, Value>): Value => new Map(Object.entries(fields));

describe("the calendar", () => {
  const days = fc.integer({ min: -(10 ** 11), max: 10 ** 11 });

  it("goes there and back", () => {
    fc.assert(fc.property(days, (day) => toEpochDay(fromEpochDay(day)) === day));
  });

  it("agrees with JavaScript's dates", () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true }), (date) => {
        const day = Math.floor(date.getTime() / 86_400_000);
        expect(fromEpochDay(day)).toEqual({
          year: date.getUTCFullYear(),
          month: date.getUTCMonth() + 1,
          day: date.getUTCDate(),
        });
        expect(weekDateOf(day).weekDay).toBe(date.getUTCDay() === 0 ? 7 : date.getUTCDay());
      }),
    );
  });
});

describe("texts", () => {
  it.each([
    ["date", "2015-W30-2", "2015-07-21"],
    ["date", "-0001-01-01", "-0001-01-01"],
    ["date", "+12345-01-01", "+12345-01-01"],
    ["date", "2015-Q2-45", "2015-05-15"],
    ["localtime", "214032.142", "21:40:32.142"],
    ["time", "2140-02", "21:40-02:00"],
    ["localdatetime", "2015T214032", "2015-01-01T21:40:32"],
    ["datetime", "2015-07-21T21:40:32.142[Europe/London]", "2015-07-21T21:40:32.142+01:00[Europe/London]"],
    // The clock jumped from 2:00 to 3:00; and 2:30 came twice, told apart by its offset.
    ["datetime", "2024-03-31T02:30[Europe/Paris]", "2024-03-31T03:30+02:00[Europe/Paris]"],
    ["datetime", "2024-10-27T02:30[Europe/Paris]", "2024-10-27T02:30+02:00[Europe/Paris]"],
    ["datetime", "2024-10-27T02:30+01:00[Europe/Paris]", "2024-10-27T02:30+01:00[Europe/Paris]"],
    ["duration", "P0.75M", "P22DT19H51M49.5S"],
    ["duration", "-P1Y2DT-3S", "P-1Y-2DT3S"],
    ["duration", "P2012-02-02T14:37:21.545", "P2012Y2M2DT14H37M21.545S"],
  ])("%s('%s')", (name, input, output) => {
    expect(text(call(name, input))).toBe(output);
  });

  it.each([
    ["date", "2015-13-01"],
    ["date", "2015-02-29"],
    ["date", "2015-W54"],
    ["date", "yesterday"],
    ["localtime", "25:00"],
    ["time", "12:00+19:00"],
    ["datetime", "2015-07-21T21:40+05:00[Europe/London]"],
    ["datetime", "2015-07-21T21:40[Europe/Atlantis]"],
    ["datetime", "2015-07-21T21:40[../../etc]"],
    ["duration", "P"],
    ["duration", "P1"],
    ["duration", "PT"],
  ])("%s('%s') is refused", (name, input) => {
    expect(() => call(name, input)).toThrow(
      expect.objectContaining({ code: "ClientError.Statement.InvalidArguments" }),
    );
  });

  it("of durations read back as the same value", () => {
    const parts = fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n });
    fc.assert(
      fc.property(parts, parts, fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), (months, days, nanos) => {
        const duration = durationOf(months, days, nanos);
        expect(call("duration", temporalText(duration))).toStrictEqual(duration);
      }),
    );
  });

  it("of offsets read back, too", () => {
    fc.assert(
      fc.property(fc.integer({ min: -64_800, max: 64_800 }), (offsetSeconds) => {
        expect(parseTimeZone(offsetText(offsetSeconds))).toEqual({ offsetSeconds });
      }),
    );
  });
});

describe("arithmetic", () => {
  it("keeps to the end of a month, and to the clock over a change of it", () => {
    const plus = (name: string, start: string, duration: string): string => {
      const value = call(name, start);
      const amount = call("duration", duration);
      return isTemporal(value) && amount instanceof DurationValue ? text(addDuration(value, amount, 1)) : "";
    };
    expect(plus("date", "2024-01-31", "P1M")).toBe("2024-02-29");
    expect(plus("datetime", "2024-03-30T12:00[Europe/Paris]", "P1D")).toBe("2024-03-31T12:00+02:00[Europe/Paris]");
    expect(plus("datetime", "2024-03-30T12:00[Europe/Paris]", "PT24H")).toBe("2024-03-31T13:00+02:00[Europe/Paris]");
    expect(plus("localtime", "23:30", "PT1H")).toBe("00:30");
  });

  it("stays within the years it knows", () => {
    expect(() => checkedDay(toEpochDay({ year: 999_999_999, month: 12, day: 31 }) + 1)).toThrow(
      expect.objectContaining({ code: "ClientError.Statement.ArithmeticError" }),
    );
  });

  it("gives back between() what was added", () => {
    const dates = fc
      .integer({ min: -1_000_000, max: 1_000_000 })
      .map((day) => call("datetime", map({ epochSeconds: day * 7_919 })));
    fc.assert(
      fc.property(dates, dates, (from, to) => {
        const between = call("duration.between", from, to);
        expect(
          isTemporal(from) && between instanceof DurationValue && isTemporal(to)
            ? compareTemporal(addDuration(from, between, 1), to)
            : "no temporal values",
        ).toBe(0);
      }),
    );
  });
});

describe("the present", () => {
  it("is the statement's, or another clock's, in a zone", () => {
    expect(text(call("datetime"))).toBe("2023-11-14T22:13:20Z");
    expect(text(call("date.realtime", "Pacific/Auckland"))).toBe("2023-11-15");
    expect(text(call("localtime.transaction", "+02:00"))).toBe("00:13:20");
    expect(call("date", null)).toBe(null);
  });

  it("is truncated when nothing else is given", () => {
    expect(text(call("datetime.truncate", "month"))).toBe("2023-11-01T00:00Z");
    expect(text(call("date.truncate", "week", call("date", "2024-01-03"), map({ dayOfWeek: 5 })))).toBe("2024-01-05");
    expect(() => call("date.truncate", "hour")).toThrow(/no unit 'hour'/);
    expect(() => call("date.truncate", "day", call("localtime"))).toThrow(/date/);
  });
});
