import { Buffer } from "node:buffer";
import { brotliDecompressSync } from "node:zlib";

/**
 * A checkpoint as version 1 wrote it (decisions/0197): six nodes, labels A and B, six relationships of two types, one of
 * which a node has with itself, one that was deleted, and a property of every kind of column but one.
 */
export function checkpointOfVersion1(): Buffer {
  return brotliDecompressSync(Buffer.from(COMPRESSED.join(""), "base64"));
}

const COMPRESSED = [
  "G+4WEVWcEgitDmxntPUIprl02TkqhevtN2LE9sJPQH50zFLRa+Cciyg8lo1u3Xa+hjceL3b7QbI0CvCa9MO/deFNxaqPP2yym7s54kwE",
  "SzvBKlardm60MFZAQC/mj8vz6W+Khw+04YO6hP4eLS51WLpKqvNwLbOEe1uOsZWV2+aKJOsrDzCTTUr4jO7ePU+mCPKB/LvnfQ0kNbCN",
  "0fSMhb8qhqA+i/xqXiCYisQtIZ50GACAvuCj+Yfn0t68N7lek8LMwdHGfEXxiVyrMPUfDZKV2FhchRAEnAH+TN/p+N7I4nyK68On+JaC",
  "u2SUPA4CoKFrEdQohCaSELK9jHsjCCB+rMTbqwt1j/TjjF5o6BRsKrbY6wpwDLV1mPoJFzVwP/9zJzbTGynC30KRIsTVVh/zJRSplCgB",
  "o/vcEezJZKb2HsCXGW5gzLrMNFdh1uA/PVIq5Jd3PDp3Z7tbfsuA6qTPBs9WMZzDtBNqd/JAameWcvhzsqrL6L3E5R3XtGgp0NqFJFJC",
  "VqKH0sdeco1qhtLRdGQCpis3Bg5gj+J5DFgqVq6twkVsAroD0ODyo1CDNY7ta6WAPaLJ4aO0nMZgDt2TdNg09KpzbA9rfWrQm3Vg0ljP",
  "i/PFB0kOQ5ccgBW30Kteh3kAXUrYMyefls2qIZ8qbrLhCagSiL77CNCB74I40jUTV/YTWpB8xMjdBI1FXRWk/ZRN7KPi5PPfFP3+awK4",
  "GxK/idNrzEFPitoYpY004OqvC5Pmg9K83+Egzluz2Gm1LBfrae0dETSWvg5EFfZQtM5FFaOfMfnHUbjGp1rbMLTbSd/r8GxpSl6QWFLu",
  "9UmokENRSh/3ZeGVb7kdmTlLXHZ8yk4aiRY5vRm7HgasjTMNMeJN+NRzCfr1MUwVs1uwyt451vIj32D/XVqaVNWP8ybNDRFsiLuMVpoS",
  "1ZnofQSEHTygDxu436FWWEuI9+PDpH2zRMJsxW5XCBZlO7LkN9u8DuqN8rKYDXtrGT9pBgvv+TlpWiIyjcwc/UQ6iSYZN0naHGfe/MRB",
  "brVMHdh/2PPyDboDdYIddJ2ERpZZGozmtc+uE5EwCZP5vX00B6GD12pYMNZWyZFh4eToG5ju8Qg6bBwRpWGZtUrviBN7eJSEKYui/c6n",
  "Oyl3NtgfTp9uLRvF0teqmAhY5yjZxlgQuYHm9b2YRNu5jiIUrhcltVkdK9Y+X+SFiFl1JkvzH03Zipb8C+hB9m3s4HYDDi05kbAeedUh",
  "hWN6jfpyEG4utwC6OiXU0t5PnLeDQFnHY0vnn8ggtbBwHLZ4DVdDQgv5x0Z3OgeeEKX15EfbUS2hr/dGEyHR54fVoNHTo95k0RfVR4hE",
  "H98UZxo9vLs3mfd8KRnovCdRqJ/AmOHbws07PEJMkypdGHnw+kTiSUSa3mxQTx/saTyBxNW8cAPhkZO1KCQndQxX9Ooxz0/aJN0Y8Fju",
  "tr9Ac7ef4MsW5gbJy0jqa0XKvdcOzx0ZezGSvdfOTI5/4msfGmu84Rej201bL1Ez0bBvrOaZCGO+CHcLYdxJPtYieed93i6HnbTSiGwB",
  "+vU9auhhpr+g3nKzEB1HnaYYH0SYmeztUmDWWJS3q7d7QmC0sZ9ET0aOXuo2d89HbY0pZScnOY7kMXs1zBsWvpzxxqQNSEbefBslS2hR",
  "v5FQI5VIk26dLJ3xLKPGNclZupl2Si/7fsNpn97mZVjDqumcV4Xocke+w1AqYi188tvEvLidTWuE104957T4kn42z7w02uiboUFC6OYN",
  "3GRZlr/LEZOhbnFUWVZH9PQDfmzKfvxxasF/9Dd5AA==",
];
