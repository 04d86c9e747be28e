/** Gives a file to the user, without a server. */
export function saveText(name: string, text: string, type = "text/plain"): void {
  saveBlob(name, new Blob([text], { type: `${type};charset=utf-8` }));
}

export function saveBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The download has taken its own hold of the blob by the next turn.
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
