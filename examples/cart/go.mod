module example.com/cart

go 1.26.0
