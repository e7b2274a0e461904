; Two freights from A to B with one plane: load both, fly, unload both.
(define (problem two-freights)
  (:domain cargo)
  (:objects p - plane f1 f2 - freight a b - airport)
  (:init (at p a) (at f1 a) (at f2 a))
  (:goal (and (at f1 b) (at f2 b))))
