import type { ComponentProps, ReactNode } from 'react';

/** primary: the one act of a form or page. danger: it cannot be undone. quiet: next to other buttons, as in a row. */
export type ButtonKind = 'primary' | 'secondary' | 'danger' | 'quiet';

interface ButtonProps extends Omit<ComponentProps<'button'>, 'className'> {
  kind?: ButtonKind;
  /** The act is under way: the button cannot start it twice, and keeps the focus. */
  isBusy?: boolean;
}

export function Button(props: ButtonProps): ReactNode {
  const { kind = 'secondary', isBusy = false, onClick, type = 'button', ...rest } = props;
  return (
    <button
      {...rest}
      type={type}
      className={`button ${kind}`}
      aria-disabled={isBusy || undefined}
      onClick={(event) => {
        if (isBusy) event.preventDefault();
        else onClick?.(event);
      }}
    />
  );
}
