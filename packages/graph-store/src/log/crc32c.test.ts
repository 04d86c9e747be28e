import { expect, test } from "vitest";
import { crc32c } from "./crc32c.ts";

// RFC 3720 §B.4 and the check value of the CRC catalogue.
test.each([
  ["123456789", Buffer.from("123456789"), 0xe3069283],
  ["32 zeros", Buffer.alloc(32), 0x8a9136aa],
  ["32 ones", Buffer.alloc(32, 0xff), 0x62a8ab43],
  ["0 to 31", Buffer.from(Array.from({ length: 32 }, (_, byte) => byte)), 0x46dd794e],
])("CRC-32C of %s", (_, bytes, expected) => {
  expect(crc32c(bytes)).toBe(expected);
  expect(crc32c(bytes.subarray(5), crc32c(bytes.subarray(0, 5)))).toBe(expected);
});
