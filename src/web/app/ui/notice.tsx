import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Tone } from './values.js';

interface NoticeProps {
  tone?: Tone;
  title?: ReactNode;
  /** The way to mend it: a button or a link. */
  action?: ReactNode;
  children?: ReactNode;
}

const ICONS = {
  neutral: Info,
  info: Info,
  good: CircleCheck,
  warning: TriangleAlert,
  bad: CircleAlert,
};

/** Says what a page or a part of it needs people to know, with the act that follows from it. */
export function Notice({ tone = 'warning', title, action, children }: NoticeProps): ReactNode {
  const Icon = ICONS[tone];
  return (
    <div className={`notice ${tone}`} role="note">
      <Icon size={18} aria-hidden />
      <div className="notice-text">
        {title !== undefined && <p className="notice-title">{title}</p>}
        {children}
      </div>
      {action}
    </div>
  );
}
