import fc from "fast-check";
import { expect, test } from "vitest";
import { Crc64, crc64Of } from "./crc64.ts";

// storage §13
test.each([
  ["", "AAAAAAAAAAA="],
  ["123456789", "iJh5CoYUi64="],
  ["HelloWorld", "8R2aIe9T07E="],
])("the CRC-64 of %j", (text, expected) => {
  expect(crc64Of(Buffer.from(text))).toBe(expected);
});

test("comes out the same in parts, also when others work at the same time", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array()), fc.array(fc.uint8Array()), (parts, others) => {
      const [crc, other] = [new Crc64(), new Crc64()];
      for (let index = 0; index < Math.max(parts.length, others.length); index++) {
        crc.update(parts[index] ?? new Uint8Array());
        other.update(others[index] ?? new Uint8Array());
      }
      expect(crc.digest()).toBe(crc64Of(Buffer.concat(parts)));
      expect(other.digest()).toBe(crc64Of(Buffer.concat(others)));
    }),
  );
});
