import { type JSX } from "preact";

/** Strokes on a grid of 24, drawn for these consoles; `trefoil` is the product's mark. */
const PATHS = {
  play: "M7 4.500v15l12-7.500z",
  stop: "M6 6h12v12H6z",
  close: "M6 6l12 12M18 6L6 18",
  pin: "M9 4h6l-1 6 4 4H6l4-4zM12 14v6",
  up: "M6 15l6-6 6 6",
  down: "M6 9l6 6 6-6",
  left: "M15 6l-6 6 6 6",
  right: "M9 6l6 6-6 6",
  expand: "M14 4h6v6M10 20H4v-6M20 4l-7 7M4 20l7-7",
  shrink: "M20 10h-6V4M4 14h6v6M14 10l7-7M10 14l-7 7",
  download: "M12 4v11M7 11l5 5 5-5M4 20h16",
  upload: "M12 16V5M7 9l5-5 5 5M4 20h16",
  star: "M12 3.500l2.600 5.500 6 .8-4.400 4.200 1.100 6L12 17.100 6.700 20l1.100-6L3.400 9.800l6-.8z",
  database:
    "M4 6c0-1.700 3.600-3 8-3s8 1.300 8 3-3.600 3-8 3-8-1.300-8-3zM4 6v12c0 1.700 3.600 3 8 3s8-1.300 8-3V6M4 12c0 1.700 3.600 3 8 3s8-1.300 8-3",
  book: "M12 6c-2-1.500-4.500-2-8-2v14c3.500 0 6 .5 8 2 2-1.500 4.500-2 8-2V4c-3.500 0-6 .5-8 2zM12 6v14",
  settings: "M4 7h9M19 7h1M4 17h1M11 17h9M16 4.500v5M8 14.500v5",
  refresh: "M20 11a8 8 0 1 0-2.300 6.700M20 4v7h-7",
  search: "M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14zM16 16l5 5",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  fit: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  trash: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13",
  graph:
    "M6 8a3 3 0 1 0 0-.01M18 7a3 3 0 1 0 0-.01M13 18.500a3 3 0 1 0 0-.01M8.700 7.700l6.500-.5M7.600 10.500l3.600 5.500M16.800 9.700l-2.700 6",
  table: "M4 5h16v14H4zM4 10h16M10 10v9",
  text: "M5 6h14M5 12h14M5 18h9",
  plan: "M9 3h6v5H9zM3 16h6v5H3zM15 16h6v5h-6zM12 8v4M6 16v-4h12v4",
  code: "M8 7l-5 5 5 5M16 7l5 5-5 5",
  warning: "M12 4l9 16H3zM12 10v4M12 17v.5",
  user: "M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM4 21c0-4 3.500-6 8-6s8 2 8 6",
  exit: "M10 4H5v16h5M15 8l4 4-4 4M19 12H9",
  moon: "M20 14A8.500 8.500 0 1 1 10 4a7 7 0 0 0 10 10z",
  sun: "M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.400 1.400M17.600 17.600L19 19M5 19l1.400-1.400M17.600 6.400L19 5",
  lock: "M6 11h12v9H6zM9 11V8a3 3 0 0 1 6 0v3",
  eyeOff:
    "M4 4l16 16M9.500 6A10 10 0 0 1 12 5.500c5 0 8 4 9 6.500a12 12 0 0 1-2.500 3.500M6 8a12 12 0 0 0-3 4c1 2.500 4 6.500 9 6.500a9 9 0 0 0 4-1M10 10a3 3 0 0 0 4 4",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 18 }: { readonly name: IconName; readonly size?: number }): JSX.Element {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="1.8"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}

export function TrefoilMark({ size = 28 }: { readonly size?: number }): JSX.Element {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <g fill="#35b585">
        <circle cx="16" cy="9.5" r="6.5" />
        <circle cx="9.2" cy="18.5" r="6.5" />
        <circle cx="22.8" cy="18.5" r="6.5" />
      </g>
      <path d="M16 17c0 5 .6 8.500 3 12" fill="none" stroke="#35b585" stroke-width="2.600" stroke-linecap="round" />
    </svg>
  );
}
