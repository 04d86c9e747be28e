import { type JSX } from "preact";
import { IconButton } from "../design/button.tsx";

export interface PageButtonsProps {
  readonly page: number;
  readonly pageCount: number;
  readonly label: string;
  readonly onChange: (page: number) => void;
}

export function PageButtons({ page, pageCount, label, onChange }: PageButtonsProps): JSX.Element | null {
  if (pageCount <= 1) {
    return null;
  }
  return (
    <div class="row page-buttons" role="group" aria-label={label}>
      <IconButton icon="left" label="Page before" isDisabled={page === 0} onClick={() => onChange(page - 1)} />
      <span>
        {page + 1} of {pageCount}
      </span>
      <IconButton
        icon="right"
        label="Next page"
        isDisabled={page === pageCount - 1}
        onClick={() => onChange(page + 1)}
      />
    </div>
  );
}
