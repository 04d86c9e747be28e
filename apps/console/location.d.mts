/** Where `npm run build` puts the console: a folder with `index.html` in it, once it was built. */
export const consoleDirectory: string;
