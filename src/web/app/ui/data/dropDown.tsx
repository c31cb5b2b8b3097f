import { useEffect, useId, useRef, useState, type ReactNode } from 'react';

interface DropDownProps {
  label: ReactNode;
  /** Read aloud instead of the label. */
  name?: string;
  /** Read aloud as the panel's; without it, the button's. */
  panelName?: string;
  className: string;
  /** Opens at once, as a part that a person has just asked for. */
  isOpenAtFirst?: boolean;
  onClose?(): void;
  /** Drawn while it is open. */
  children: ReactNode | ((close: () => void) => ReactNode);
}

/** A button that opens a small panel below it. Esc and a click elsewhere close it, and the focus returns. */
export function DropDown(props: DropDownProps): ReactNode {
  const {
    label,
    name,
    panelName = name,
    className,
    isOpenAtFirst = false,
    onClose,
    children,
  } = props;
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const close = (): void => panel.current?.hidePopover();
  useEffect(() => {
    if (isOpenAtFirst) panel.current?.showPopover();
  }, [isOpenAtFirst]);
  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        aria-label={name}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        popoverTarget={id}
      >
        {label}
      </button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={panelName ?? (typeof label === 'string' ? label : undefined)}
        className="drop-down"
        onBeforeToggle={({ newState }) => {
          if (newState === 'open') setIsOpen(true);
        }}
        onToggle={({ newState }) => {
          if (newState === 'open') {
            place(panel.current, button.current);
            panel.current?.querySelector<HTMLElement>('input, select, button')?.focus();
            return;
          }
          setIsOpen(false);
          onClose?.();
        }}
      >
        {isOpen && (typeof children === 'function' ? children(close) : children)}
      </div>
    </>
  );
}

const GAP_PIXELS = 4;

/** Below the button, moved sideways into the window; above it where there is no room below. */
function place(panel: HTMLElement | null, button: HTMLElement | null): void {
  if (!panel || !button) return;
  const at = button.getBoundingClientRect();
  const { width, height } = panel.getBoundingClientRect();
  const room = innerHeight - at.bottom - GAP_PIXELS;
  const top =
    height > room && at.top > room ? at.top - height - GAP_PIXELS : at.bottom + GAP_PIXELS;
  panel.style.left = `${Math.max(GAP_PIXELS, Math.min(at.left, innerWidth - width - GAP_PIXELS))}px`;
  panel.style.top = `${Math.max(GAP_PIXELS, top)}px`;
}
